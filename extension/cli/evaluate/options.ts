import { type Command, InvalidArgumentError, Option } from 'commander';
import { type VerificationMode, verificationModes } from '../../engine/compaction/verify';
import {
  contenderNamed,
  defaultLineUp,
  fullLineUp,
  UnknownContender,
} from '../../evaluation/measure/contenders/line-up';
import { defaultSettings } from '../../evaluation/measure/default-settings';
import type { ContenderId } from '../../evaluation/measure/results';
import type { Shard } from '../../evaluation/measure/units';
import { type SummarizerOptions, summarizerOptions } from '../models';

export interface EvaluateOptions extends SummarizerOptions {
  readonly out: string;
  readonly quick?: boolean;
  readonly sessions?: string;
  readonly tasks?: readonly string[];
  readonly taskFiles?: string;
  readonly contenders: readonly ContenderId[];
  readonly seeds: number;
  readonly everyTokens: number;
  readonly everyTurns?: number;
  readonly probeAfter: readonly number[];
  readonly window: number;
  readonly verification: VerificationMode;
  readonly respondent: 'reader' | 'model';
  readonly judge?: boolean;
  readonly shard?: Shard;
  readonly jobs?: number;
  readonly contexts: boolean;
  readonly json?: boolean;
}

/** Adds what says how to evaluate. */
export function evaluateOptions(command: Command): Command {
  return summarizerOptions(command)
    .option(
      '--out <dir>',
      'where results and reports go; a run that is there already is gone on with',
      'strata-evaluation',
    )
    .option('--quick', 'six tasks, one seed, the usual contenders, no model')
    .option('--sessions <dir>', 'what the work in real session files needed, instead of tasks; no model')
    .option('--tasks <names>', 'only these tasks, with commas between', list)
    .option('--task-files <path>', 'tasks of your own: a file or a folder; see docs/evaluation.md')
    .option(
      '--contenders <names>',
      '`usual`, `all`, or strategies with commas between; `+proposed` or `+pinned` after a name gives it a core',
      contenders,
      defaultLineUp,
    )
    .option('--seeds <count>', 'how many variations of each task', seedCount, defaultSettings.seeds.length)
    .option('--every-tokens <count>', 'a compaction each time so much was said', positive, defaultSettings.every.count)
    .option('--every-turns <count>', 'a compaction each so many turns, instead', positive)
    .option('--probe-after <numbers>', 'after which compactions to ask', numbers, [...defaultSettings.probedAfter])
    .option('--window <tokens>', 'the context window', positive, defaultSettings.window)
    .addOption(
      new Option('--verification <mode>', 'what becomes of a summary that drops something')
        .choices(verificationModes)
        .default(defaultSettings.verification),
    )
    .addOption(
      new Option('--respondent <kind>', 'who answers: a reader without a model, or the model of --model')
        .choices(['reader', 'model'])
        .default('reader'),
    )
    .option('--judge', 'have the model rate the next actions that it proposed, from 1 to 5')
    .option('--shard <i/n>', 'only a part of the units, so that machines can share the work', shard)
    .option('--jobs <count>', 'units at once; one for each processor, or as the model allows', positive)
    .option('--no-contexts', 'keep scores and answers, but not the contexts they are about; for large runs')
    .option('--json', 'the report as JSON');
}

function list(text: string): string[] {
  return [...new Set(text.split(',').map((name) => name.trim()))];
}

function positive(text: string): number {
  const number = Number(text);
  if (Number.isInteger(number) && number > 0) return number;
  throw new InvalidArgumentError('It has to be a whole number above 0.');
}

/** Nobody plays more, and the list of units has to fit. */
const mostSeeds = 1_000;

function seedCount(text: string): number {
  const count = positive(text);
  if (count <= mostSeeds) return count;
  throw new InvalidArgumentError(`There are at most ${mostSeeds}.`);
}

function numbers(text: string): number[] {
  return [...new Set(list(text).map(positive))].sort((a, b) => a - b);
}

function contenders(text: string): readonly ContenderId[] {
  if (text === 'usual') return defaultLineUp;
  if (text === 'all') return fullLineUp();
  try {
    return [...new Map(list(text).map((name) => [name, contenderNamed(name)])).values()];
  } catch (error) {
    if (error instanceof UnknownContender) throw new InvalidArgumentError(error.message);
    throw error;
  }
}

function shard(text: string): Shard {
  const [, index, of] = /^(\d+)\/(\d+)$/.exec(text) ?? [];
  const found = { index: Number(index), of: Number(of) };
  if (found.index >= 1 && found.index <= found.of) return found;
  throw new InvalidArgumentError('It has to be i/n, as 1/4 is, with i from 1 to n.');
}
