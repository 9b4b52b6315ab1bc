import type { HistoryMark, HistoryView } from '../../../extension/protocol/view';
import { t } from '../../l10n';
import { formatTokens } from '../shared/format';
import type { ChartMark } from './chart-marks';
import { activeMarks, highestTokens } from './tokens-chart';

type Drift = NonNullable<HistoryMark['drift']>;
type GoalTrace = NonNullable<NonNullable<HistoryMark['goals']>['original']>;

/** How many of the early instructions are left after all compactions; null if unknown. */
export function driftSentence({ marks, directions }: HistoryView): string | null {
  const active = activeMarks(marks);
  const drift = active.findLast((mark) => mark.drift !== null)?.drift;
  if (!drift || directions === 0) return null;
  const words = driftWords(drift, directions);
  return active.length === 1
    ? t('After 1 compaction {0}.', words)
    : t('After {0} compactions {1}.', active.length, words);
}

/** Percentage of the early instructions that are left, word for word or in other words; null if unknown. */
export function driftPercent(history: HistoryView): number | null {
  const drift = newestDrift(history);
  return drift === null ? null : Math.round((100 * (drift.kept + drift.paraphrased)) / history.directions);
}

function newestDrift({ marks, directions }: HistoryView): Drift | null {
  if (directions === 0) return null;
  return activeMarks(marks).findLast((mark) => mark.drift !== null)?.drift ?? null;
}

function driftWords({ kept, paraphrased, dropped }: Drift, directions: number): string {
  if (kept === directions) {
    return directions === 1
      ? t('the one early instruction is there word for word')
      : t('all {0} early instructions are there word for word', directions);
  }
  const parts = [verbatimWords(kept, directions)];
  if (paraphrased > 0) parts.push(t('{0} in other words', paraphrased));
  if (dropped > 0) parts.push(dropped === 1 ? t('1 is gone') : t('{0} are gone', dropped));
  return parts.join(', ');
}

function verbatimWords(kept: number, directions: number): string {
  if (directions === 1) return t('{0} of 1 early instruction is there word for word', kept);
  return kept === 1
    ? t('1 of {0} early instructions is there word for word', directions)
    : t('{0} of {1} early instructions are there word for word', kept, directions);
}

/** The chart in one sentence, for screen readers. */
export function chartSummary(history: HistoryView): string {
  const now = history.points.at(-1)?.tokens ?? 0;
  const sizes = t(
    'Tokens of the context over the session: {0} now, {1} at most, {2}.',
    formatTokens(now),
    formatTokens(highestTokens(history)),
    compactionsWords(history.marks),
  );
  return `${sizes} ${driftSentence(history) ?? ''}`.trim();
}

/** `3 compactions, 1 undone` */
function compactionsWords(marks: readonly HistoryMark[]): string {
  const undone = marks.filter(({ active }) => !active).length;
  const count = marks.length - undone;
  const compactions = count === 1 ? t('1 compaction') : t('{0} compactions', count);
  return undone === 0 ? compactions : t('{0}, {1} undone', compactions, undone);
}

/** Text of the readout for one compaction; the list below shows its time. */
export function markReadout({ mark, label }: ChartMark, directions: number): string {
  const { before, after, active, drift } = mark;
  const size = active ? t('{0} → {1} tokens', formatTokens(before), formatTokens(after)) : t('undone');
  const left = active && drift && directions > 0 ? `; ${driftWords(drift, directions)}` : '';
  const goals = active && mark.goals ? goalWords(mark.goals).map((words) => `; ${words}`) : [];
  return [label, ': ', size, left, ...goals].join('');
}

/** What a compaction left of the goals, from the first one to the one of now. Goals that are the same are told once. */
function goalWords({ original, before, current }: NonNullable<HistoryMark['goals']>): string[] {
  return [
    ...(original === null ? [] : [t('original goal: {0}', traceWords(original))]),
    ...(before === null ? [] : [t('goal at the time: {0}', traceWords(before))]),
    ...(current === null ? [] : [t('goal now: {0}', traceWords(current))]),
  ];
}

function traceWords(trace: GoalTrace): string {
  return { kept: t('kept verbatim'), paraphrased: t('in other words or in part'), dropped: t('gone') }[trace];
}

/** Text of the readout for one point of the line. */
export function pointReadout(turn: number, at: number, tokens: number): string {
  return t('Turn {0}, message {1}: {2} tokens', turn, at + 1, formatTokens(tokens));
}
