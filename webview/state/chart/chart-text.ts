import type { HistoryMark, HistoryView } from '../../../extension/protocol/view';
import { t } from '../../l10n';
import { fateWords } from '../compactions/fates';
import { formatTokens } from '../shared/format';
import type { ChartMark } from './chart-marks';
import { activeMarks, highestTokens } from './tokens-chart';

type Drift = NonNullable<HistoryMark['drift']>;

/** Says what is left of the person's first messages after all compactions; null if unknown. */
export function driftSentence(history: HistoryView): string | null {
  const drift = newestDrift(history);
  if (drift === null) return null;
  const words = driftWords(drift, history.messages);
  const count = activeMarks(history.marks).length;
  return count === 1 ? t('After 1 compaction, {0}.', words) : t('After {0} compactions, {1}.', count, words);
}

/** Percentage of the first messages that are left, word for word or shortened; null if unknown. */
export function driftPercent(history: HistoryView): number | null {
  const drift = newestDrift(history);
  return drift === null ? null : Math.round((100 * (drift.whole + drift.shortened)) / history.messages);
}

function newestDrift({ marks, messages }: HistoryView): Drift | null {
  if (messages === 0) return null;
  return activeMarks(marks).findLast((mark) => mark.drift !== null)?.drift ?? null;
}

function driftWords({ whole, shortened, gone }: Drift, messages: number): string {
  if (messages === 1) {
    if (whole === 1) return t('your first message is there word for word');
    return shortened === 1 ? t('your first message is shortened') : t('your first message is not there word for word');
  }
  if (whole === messages) return t('your first {0} messages are there word for word', messages);
  const parts = [verbatimWords(whole, messages)];
  if (shortened > 0) parts.push(t('{0} shortened', shortened));
  if (gone > 0) parts.push(t('{0} not word for word', gone));
  return parts.join(', ');
}

function verbatimWords(whole: number, messages: number): string {
  return whole === 1
    ? t('1 of your first {0} messages is there word for word', messages)
    : t('{0} of your first {1} messages are there word for word', whole, messages);
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
export function markReadout({ mark, label }: ChartMark, messages: number): string {
  const { before, after, active, drift } = mark;
  const size = active ? t('{0} → {1} tokens', formatTokens(before), formatTokens(after)) : t('undone');
  const left = active && drift && messages > 0 ? `; ${driftWords(drift, messages)}` : '';
  const goals = active && mark.goals ? goalWords(mark.goals).map((words) => `; ${words}`) : [];
  return [label, ': ', size, left, ...goals].join('');
}

/** Says what is left of requests after a compaction: the first, the newest then, the newest now. Each is named once. */
function goalWords({ original, before, current }: NonNullable<HistoryMark['goals']>): string[] {
  return [
    ...(original === null ? [] : [t('first request: {0}', fateWords[original])]),
    ...(before === null ? [] : [t('newest request then: {0}', fateWords[before])]),
    ...(current === null ? [] : [t('newest request now: {0}', fateWords[current])]),
  ];
}

/** Text of the readout for one point of the line. */
export function pointReadout(turn: number, at: number, tokens: number): string {
  return t('Turn {0}, message {1}: {2} tokens', turn, at + 1, formatTokens(tokens));
}
