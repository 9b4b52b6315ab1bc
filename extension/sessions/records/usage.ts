import type { Usage } from '../../engine/conversation/entry';

/** Null if all numbers are zero: no reply of a model is free, so the agent had none to report. */
export function reportedUsage(usage: Usage): Usage | null {
  return Object.values(usage).some((tokens) => tokens > 0) ? usage : null;
}
