import { existsSync, globSync } from 'node:fs';
import { join } from 'node:path';

/** Sessions that real agents wrote, kept in this repository. */
export const fixtures = join(import.meta.dirname, '..', 'fixtures');

/** A folder with more and longer sessions, where the environment names one; the same tests then run over it as well. */
export const moreSamples = process.env.STRATA_SAMPLES;

/** A session in this repository, and the same file by the name it has among the other samples. */
export interface Sample {
  readonly name: string;
  readonly file: string;
}

/** The fixture, and its original where that is at hand. */
export function sampleFiles(fixture: string, originals: string): Sample[] {
  const found = moreSamples === undefined ? [] : globSync(join(moreSamples, originals));
  return [
    { name: fixture, file: join(fixtures, fixture) },
    ...found.map((file) => ({ name: `the original of ${fixture}`, file })),
  ];
}

/** A sample that is too long for this repository; empty where it is not at hand. */
export function longSample(path: string): Sample[] {
  const file = join(moreSamples ?? '', path);
  return moreSamples !== undefined && existsSync(file) ? [{ name: path, file }] : [];
}

/** All sessions of the agents that Strata reads, fixtures and originals. */
export function everySample(): Sample[] {
  const folders = [fixtures, ...(moreSamples === undefined ? [] : [moreSamples])];
  return folders
    .flatMap((folder) => globSync(join(folder, '{pi,claude-code}*', '**', '*.jsonl')))
    .map((file) => ({ name: file, file }));
}
