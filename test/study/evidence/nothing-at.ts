import type { FoundAt } from './found';

/** A boundary of a project at which nothing was needed and nothing was measured. */
export function nothingAt(project: string): FoundAt {
  return { project, names: 0, messages: 0, peers: [], shadow: [], sizes: [] };
}
