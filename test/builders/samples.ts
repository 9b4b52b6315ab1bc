import { existsSync, readdirSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';

export interface Sample {
  readonly name: string;
  readonly file: string;
}

const fixtures = resolve(import.meta.dirname, '../fixtures');

/** Session files of real agents: the fixtures, and the files in the folder that STRATA_SAMPLES names. */
export function sampleSessions(): Sample[] {
  const extra = process.env.STRATA_SAMPLES;
  const samples = [fixtures, ...(extra ? [resolve(extra)] : [])].flatMap(sessionsUnder);
  if (samples.length === 0) throw new Error('There are no session files to test with.');
  return samples;
}

/** Only the agents that Strata reads; their subagents are conversations of their own. */
const readable = /^(?:pi|claude-code)[^/]*\/(?!.*subagents\/).*\.jsonl$/;

function sessionsUnder(folder: string): Sample[] {
  if (!existsSync(folder)) throw new Error(`There is no folder of samples at ${folder}.`);
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => readable.test(name))
    .sort()
    .map((name) => ({ name: relative(folder, join(folder, name)), file: join(folder, name) }));
}
