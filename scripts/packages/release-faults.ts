import { releaseNotes } from './release-notes.ts';

export interface Release {
  /** For example `v1.2.3`. */
  readonly tag: string;
  /** From package.json. */
  readonly version: string;
  readonly changelog: string;
  /** Address of the repository in package.json. */
  readonly repository: string | undefined;
  /** `owner/name` of the repository that the workflow runs in. */
  readonly builtFrom: string | undefined;
}

/** Reasons not to publish this release; empty if there are none. */
export function releaseFaults({ tag, version, changelog, repository, builtFrom }: Release): readonly string[] {
  return [
    ...(tag === `v${version}` ? [] : [`The tag is ${tag}, and package.json has version ${version}.`]),
    ...repositoryFaults(repository, builtFrom),
    ...releaseNotes(changelog, version).faults,
  ];
}

/** npm rejects provenance for another repository, and the Marketplace would show dead links. */
function repositoryFaults(repository: string | undefined, builtFrom: string | undefined): readonly string[] {
  if (repository === undefined) return ['package.json has no "repository": set it once, with "publisher".'];
  const named = /[/:]([^/:]+\/[^/:]+?)(?:\.git)?$/.exec(repository)?.[1];
  if (builtFrom === undefined || named?.toLowerCase() === builtFrom.toLowerCase()) return [];
  return [`package.json names the repository ${named}, and this is ${builtFrom}.`];
}
