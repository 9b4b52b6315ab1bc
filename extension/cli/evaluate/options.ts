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
import { CommandFailed } from '../command-failed';
import { list, positive } from '../commands/option-values';
import { type SummarizerOptions, summarizerOptions } from '../models';

export interface EvaluateOptions extends SummarizerOptions {
  readonly out: string;
  readonly quick?: boolean;
  readonly sessions?: string;
  readonly benchmark?: string;
  readonly tasks?: readonly string[];
  readonly taskFiles?: string;
  readonly contenders: readonly ContenderId[];
  readonly seeds: number;
  readonly everyTokens: number;
  readonly everyTurns?: number;
  readonly probeAfter: readonly number[];
  readonly window: number;
  readonly target?: number;
  readonly verification: VerificationMode;
  readonly respondent: 'reader' | 'model';
  readonly judge?: boolean;
  readonly budgetTokens?: number;
  readonly shard?: Shard;
  readonly queue?: string;
  readonly jobs?: number;
  readonly contexts: boolean;
  readonly json?: boolean;
}

/** Adds the options of `evaluate`. */
export function evaluateOptions(command: Command): Command {
  return summarizerOptions(command)
    .option('--out <dir>', 'folder of results; continues an existing run', 'strata-evaluation')
    .option('--quick', 'six tasks, one seed, the usual contenders, no model')
    .option('--sessions <dir>', 'replay real session files instead of tasks')
    .option('--benchmark <manifest>', 'fetch public sessions with git, and replay them')
    .option('--tasks <names>', 'only these tasks, separated by commas', list)
    .option('--task-files <path>', 'your own tasks: a file or a folder')
    .addOption(
      new Option('--contenders <names>', '`usual`, `all` or names; `+pinned` gives one a core')
        .argParser(contenders)
        .default(defaultLineUp, 'usual'),
    )
    .option('--seeds <count>', 'number of variations of each task', seedCount, defaultSettings.seeds.length)
    .option('--every-tokens <count>', 'compact after this many new tokens', positive, defaultSettings.every.count)
    .option('--every-turns <count>', 'compact after this many turns instead', positive)
    .addOption(
      new Option('--probe-after <numbers>', 'compactions after which to ask')
        .argParser(numbers)
        .default([...defaultSettings.probedAfter], defaultSettings.probedAfter.join()),
    )
    .option('--window <tokens>', 'the context window', positive, defaultSettings.window)
    .option('--target <tokens>', 'size of every context after a compaction', positive)
    .addOption(
      new Option('--verification <mode>', 'if a summary drops something')
        .choices(verificationModes)
        .default(defaultSettings.verification),
    )
    .addOption(
      new Option('--respondent <kind>', 'who answers; the reader needs no model')
        .choices(['reader', 'model'])
        .default('reader'),
    )
    .option('--judge', 'let the model rate its actions from 1 to 5')
    .option('--budget-tokens <count>', 'end the run after this many tokens of the model', positive)
    .option('--shard <i/n>', 'play only this part of the units', shard)
    .option('--queue <url>', 'share the units by a Postgres: postgres://…')
    .option('--jobs <count>', 'concurrent units or sessions', positive)
    .option('--no-contexts', 'leave out the texts of the contexts')
    .option('--json', 'the report as JSON');
}

/** Throws `CommandFailed` for options that cannot be combined with a queue. */
export function refuseWithQueue(options: EvaluateOptions): void {
  if (options.queue === undefined) return;
  const unsupported = ['shard', 'jobs', 'budgetTokens'] as const;
  const given = unsupported.find((key) => options[key] !== undefined);
  if (given === undefined) return;
  const name = given.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  throw new CommandFailed(`--queue shares the units of a run between workers, so it does not go with --${name}`, true);
}

/** Maximum of `--seeds`: the list of units must fit into memory. */
const maxSeeds = 1_000;

function seedCount(text: string): number {
  const count = positive(text);
  if (count <= maxSeeds) return count;
  throw new InvalidArgumentError(`The maximum is ${maxSeeds}.`);
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
  throw new InvalidArgumentError('It must have the form i/n, such as 1/4, with i from 1 to n.');
}
