import { type LossReport, type LostItem, mostListed, mostOutputs, type Tally } from '../../block/loss';
import type { CompactionRecord } from '../../journal/records';
import type { JournaledRun } from '../../journal/runs';
import { recordsInContext } from './run-blocks';

export interface RunFigures {
  /** The strategy that was chosen; in a journal of an earlier version those of its steps. */
  readonly strategies: readonly string[];
  /** Tokens of the whole context right before and after it. Null in records of earlier versions. */
  readonly size: { readonly before: number; readonly after: number } | null;
  /** Number of entries that its blocks replace. */
  readonly entries: number;
  readonly tokensSpent: { readonly input: number; readonly output: number };
  readonly durationMs: number;
  /** Tokens that the provider's prompt cache no longer covers. */
  readonly cacheTokensInvalidated: number;
  /** Says what the resulting context still has of everything that the run replaced; null if unknown. */
  readonly loss: LossReport | null;
}

export function figuresOf(run: JournaledRun): RunFigures {
  const records = run.blocks.map(({ record }) => record);
  const whole = wholeOf(run);
  return {
    strategies: whole ? [whole.strategy] : [...new Set(records.map(({ strategy }) => strategy))],
    size: records.find(({ contextTokens }) => contextTokens)?.contextTokens ?? null,
    entries: new Set(records.flatMap(({ entryIds }) => entryIds)).size,
    tokensSpent: whole?.tokensSpent ?? spentOn(records),
    durationMs: records.reduce((sum, { durationMs }) => sum + durationMs, 0),
    cacheTokensInvalidated: cacheTokensInvalidated(records),
    loss: lossOfRun(run),
  };
}

/** The cache is lost once, from the first message that any block replaces. */
export function cacheTokensInvalidated(records: readonly CompactionRecord[]): number {
  return Math.max(0, ...records.map((record) => record.cacheTokensInvalidated ?? 0));
}

function wholeOf({ blocks }: JournaledRun): CompactionRecord['wholeRun'] {
  return blocks[0]?.record.wholeRun;
}

function spentOn(records: readonly CompactionRecord[]): RunFigures['tokensSpent'] {
  return {
    input: records.reduce((sum, { tokensSpent }) => sum + tokensSpent.input, 0),
    output: records.reduce((sum, { tokensSpent }) => sum + tokensSpent.output, 0),
  };
}

/** As reported with the run; summed from its blocks if some were undone or changed since. */
function lossOfRun(run: JournaledRun): LossReport | null {
  const { blocks } = run;
  const isAsMade = blocks.every(({ active, earlier }) => active === run.active && earlier === undefined);
  const reported = isAsMade ? wholeOf(run)?.loss : undefined;
  if (reported) return reported;
  const records = blocks.filter(({ active }) => active === run.active).map(({ record }) => record);
  const reports = recordsInContext(records).map(({ loss }) => loss);
  return reports.reduce((sum, loss) => (sum && loss ? added(sum, loss) : null));
}

/** Blocks of a run replace different messages, and may have changed the same files. */
function added(one: LossReport, other: LossReport): LossReport {
  const { messages, outputs } = one;
  return {
    messages: {
      whole: messages.whole + other.messages.whole,
      shortened: messages.shortened + other.messages.shortened,
      gone: messages.gone + other.messages.gone,
      listed: [...messages.listed, ...other.messages.listed].slice(-mostListed),
    },
    files: addedTally(one.files, other.files),
    open: addedTally(one.open, other.open),
    outputs: {
      count: outputs.count + other.outputs.count,
      tokens: outputs.tokens + other.outputs.tokens,
      largest: [...outputs.largest, ...other.outputs.largest].sort((a, b) => b.tokens - a.tokens).slice(0, mostOutputs),
    },
  };
}

function addedTally(one: Tally, other: Tally): Tally {
  const known = new Set(one.listed.map(({ text }) => text));
  const further = other.listed.filter(({ text }: LostItem) => !known.has(text));
  const twice = other.listed.length - further.length;
  return {
    named: one.named + other.named,
    unnamed: one.unnamed + other.unnamed - twice,
    listed: [...one.listed, ...further].slice(-mostListed),
  };
}
