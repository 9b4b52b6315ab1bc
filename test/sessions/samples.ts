import { existsSync, globSync } from 'node:fs';
import { join } from 'node:path';
import type { LineFormat } from '../../extension/sessions/adapter';
import { lineFormats } from '../../extension/sessions/adapters';

/** Sessions that real agents wrote, stored in this repository. */
export const fixtures = join(import.meta.dirname, '..', 'fixtures');

/** A folder with more and longer sessions, if the environment names one. The same tests then run over it too. */
export const moreSamples = process.env.STRATA_SAMPLES;

/** A session in this repository, or the same file among the other samples. */
export interface Sample {
  readonly name: string;
  readonly file: string;
}

/** The fixture, and its original if that is available. */
export function sampleFiles(fixture: string, originals: string): Sample[] {
  const found = moreSamples === undefined ? [] : globSync(join(moreSamples, originals));
  return [
    { name: fixture, file: join(fixtures, fixture) },
    ...found.map((file) => ({ name: `the original of ${fixture}`, file })),
  ];
}

/** A sample that is too long for this repository; empty if it is not available. */
export function longSample(path: string): Sample[] {
  const file = join(moreSamples ?? '', path);
  return moreSamples !== undefined && existsSync(file) ? [{ name: path, file }] : [];
}

/** A session in a file of lines, with the format of the agent that wrote it. */
export interface LineSample extends Sample {
  readonly format: LineFormat;
}

/** All sessions of the agents whose files consist of lines: fixtures and originals. */
export function everySample(): LineSample[] {
  const folders = [fixtures, ...(moreSamples === undefined ? [] : [moreSamples])];
  return folders.flatMap(lineSamplesIn);
}

/** Strata's own sessions have no samples, and those of VS Code's chat have tests of their own. */
const sampledAgents = lineFormats
  .map(({ agent }) => agent)
  .filter((agent) => agent !== 'strata' && agent !== 'vscode-chat');

export function lineSamplesIn(folder: string): LineSample[] {
  return (
    globSync(`{${sampledAgents.join(',')}}*/**/*.jsonl`, { cwd: folder })
      // The conversation of these files begins in another file.
      .filter((name) => !name.includes('reverted'))
      .map((name) => ({ name, file: join(folder, name), format: lineFormatOf(name) }))
  );
}

/** A sample's name starts with the folder of its agent and version. The folders above the samples can have any name. */
function lineFormatOf(name: string): LineFormat {
  const format = lineFormats.find(({ agent }) => name.startsWith(agent));
  if (format === undefined) throw new Error(`No agent is known for ${name}`);
  return format;
}
