import type { Branch } from '../../../engine/conversation/branch';
import type { Entry } from '../../../engine/conversation/entry';
import { ReadHistory, type RepeatedOutput } from '../../../engine/history/rereading';
import type { RepeatCount, Repeats } from '../replay';
import { spreadEvenly } from './boundaries';

export interface RepeatsWithTexts {
  readonly repeats: Repeats;
  /** The outputs that were repeated after the compaction. */
  readonly outputs: readonly RepeatedOutput[];
}

/** In calls that read or searched. */
const limits = { window: 15, fewest: 5, reach: 40, fewestBefore: 10, settle: 10, mostPoints: 6 };

/**
 * Null if a session has no comparable point. Such a point has equally many calls before it, and no compaction in its window or among the
 * last calls before it. For each point, takes time linear in the branch.
 */
export function repeatsAfter(
  branch: Branch,
  compactionStep: number,
  tokensOf: (entry: Entry) => number,
): RepeatsWithTexts | null {
  const history = new ReadHistory(branch, tokensOf, { searches: true });
  const { steps } = history;
  const numberAt = (step: number) => {
    const found = steps.findIndex((each) => each > step);
    return found < 0 ? steps.length : found;
  };
  const compactions = branch.compactions
    .filter(({ compaction }) => compaction.kind === 'summary')
    .map(({ step }) => numberAt(step));
  const first = numberAt(compactionStep);
  const ends = [...compactions.filter((each) => each > first), steps.length];
  const window = Math.min(limits.window, (ends[0] ?? 0) - first);
  // Calls in the first half of what precedes have too few calls before them to be compared.
  const reach = Math.min(limits.reach, Math.floor(first / 2));
  if (window < limits.fewest || reach < limits.fewestBefore) return null;
  const isFree = (at: number) =>
    !compactions.some((each) => each > at - limits.settle && each < at + window) && at >= reach;
  const free = steps.map((_, at) => at).filter((at) => at + window <= steps.length && isFree(at));
  const points = spreadEvenly(free, Math.min(limits.mostPoints, Math.ceil((2 * free.length) / window)));
  if (points.length === 0) return null;
  const outputs = history.repeatedFrom(first, window, reach);
  const counts = points.map((at) => countOf(history.repeatedFrom(at, window, reach)));
  const mean = (of: (count: RepeatCount) => number) => counts.reduce((sum, each) => sum + of(each), 0) / counts.length;
  const matched = { calls: mean(({ calls }) => calls), tokens: mean(({ tokens }) => tokens) };
  return { repeats: { window, after: countOf(outputs), matched, points: points.length }, outputs };
}

function countOf(outputs: readonly RepeatedOutput[]): RepeatCount {
  return { calls: outputs.length, tokens: outputs.reduce((sum, { tokens }) => sum + tokens, 0) };
}

/** Shorter lines, such as brackets, are in every text. In UTF-16 units. */
const shortestLine = 12;

/** Share of the repeated outputs that a text still has, by the length of their lines; null if they have no lines that are long enough. */
export function shareSpared(outputs: readonly RepeatedOutput[], text: string): number | null {
  const known = new Set(linesIn(text));
  let [all, spared] = [0, 0];
  for (const output of outputs) {
    for (const line of linesIn(output.text)) {
      all += line.length;
      if (known.has(line)) spared += line.length;
    }
  }
  return all === 0 ? null : spared / all;
}

/** Without the line numbers that tools put before lines. */
function linesIn(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.replace(/^\s*\d+\s*(?:→|\t|:|-|\|)/, '').trim())
    .filter((line) => line.length >= shortestLine);
}
