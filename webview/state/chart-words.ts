import type { HistoryMark, HistoryView } from '../../extension/protocol/view';
import type { ChartMark } from './chart-marks';
import { formatTime, formatTokens, plural } from './format';
import { highestTokens, standing } from './tokens-chart';

type Drift = NonNullable<HistoryMark['drift']>;

/** What is left of the first directions after all that was compacted; null where nobody can tell. */
export function driftSentence({ marks, directions }: HistoryView): string | null {
  const active = standing(marks);
  const drift = active.findLast((mark) => mark.drift !== null)?.drift;
  if (!drift || directions === 0) return null;
  return `After ${plural(active.length, 'compaction')} ${driftWords(drift, directions)}.`;
}

function driftWords({ kept, paraphrased, dropped }: Drift, directions: number): string {
  if (kept === directions) {
    return directions === 1
      ? 'the first direction stands verbatim'
      : `all ${directions} first directions stand verbatim`;
  }
  const parts = [`${kept} of ${plural(directions, 'first direction')} ${kept === 1 ? 'stands' : 'stand'} verbatim`];
  if (paraphrased > 0) parts.push(`${paraphrased} in other words`);
  if (dropped > 0) parts.push(`${dropped} ${dropped === 1 ? 'is' : 'are'} gone`);
  return parts.join(', ');
}

/** The chart in one sentence, for those who do not see it. */
export function chartSummary(history: HistoryView): string {
  const now = history.points.at(-1)?.tokens ?? 0;
  const undone = history.marks.filter(({ active }) => !active).length;
  const compactions = plural(history.marks.length - undone, 'compaction');
  return [
    `Tokens of the context over the session: ${formatTokens(now)} now, ${formatTokens(highestTokens(history))} at most,`,
    undone === 0 ? `${compactions}.` : `${compactions}, ${undone} undone.`,
    driftSentence(history) ?? '',
  ]
    .join(' ')
    .trim();
}

/** What the line under the chart says of one compaction. */
export function markReadout({ mark, label, time }: ChartMark, directions: number, now: number): string {
  const { before, after, active, drift } = mark;
  const when = time === null ? '' : `, ${formatTime(time, now)}`;
  const size = active ? `${formatTokens(before)} → ${formatTokens(after)} tokens` : 'undone';
  const left = active && drift && directions > 0 ? `; ${driftWords(drift, directions)}` : '';
  return `${label}${when}: ${size}${left}`;
}

/** What it says of one point of the line. */
export function pointReadout(turn: number, at: number, tokens: number): string {
  return `Turn ${turn}, entry ${at + 1}: ${formatTokens(tokens)} tokens`;
}
