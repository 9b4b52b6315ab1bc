import { meanWithInterval } from '../../extension/evaluation/measure/statistics';
import { contenderNames } from './contenders';
import { lastCompaction, quantityIn, type StudyFindings, samplesOf, wholeContenders } from './figures';

const width = 760;
const height = 430;
const plot = { left: 62, right: 740, top: 40, bottom: 370 };

interface PlacedMark {
  readonly name: string;
  readonly tokens: number;
  readonly mean: number;
  readonly low: number;
  readonly high: number;
}

/**
 * The held share against the tokens after the last compaction: one mark for each contender, with its interval over
 * tasks.
 */
export function figureOf(findings: StudyFindings): string {
  const marks = wholeContenders(findings).flatMap((key): PlacedMark[] => {
    const held = meanWithInterval(samplesOf(findings, key, quantityIn('held', findings), lastCompaction));
    const tokens = meanWithInterval(samplesOf(findings, key, quantityIn('tokens', findings), lastCompaction));
    return held && tokens ? [{ name: contenderNames[key] ?? key, tokens: tokens.mean, ...held }] : [];
  });
  const x = logScale(400, 40_000);
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" aria-labelledby="title" font-family="system-ui, sans-serif" font-size="12">`,
    '<title id="title">What is held after three compactions, against the tokens of the context</title>',
    `<rect width="${width}" height="${height}" fill="#fff"/>`,
    '<text x="62" y="22" font-size="14" fill="#1f2328">Held after three compactions, against the tokens of the context</text>',
    ...[0, 0.25, 0.5, 0.75, 1].map(
      (share) =>
        `<path d="M${plot.left} ${y(share)}H${plot.right}" stroke="#d0d7de"/><text x="${plot.left - 8}" y="${y(share) + 4}" text-anchor="end" fill="#57606a">${share * 100} %</text>`,
    ),
    ...[500, 1_000, 2_000, 4_000, 8_000, 16_000, 32_000].map(
      (tokens) =>
        `<text x="${x(tokens)}" y="${plot.bottom + 20}" text-anchor="middle" fill="#57606a">${tokens.toLocaleString('en')}</text>`,
    ),
    `<text x="${(plot.left + plot.right) / 2}" y="${plot.bottom + 42}" text-anchor="middle" fill="#57606a">tokens of the context (logarithmic); lines: 95 % intervals over tasks</text>`,
    ...placed(marks, x).map((label) => markText(label, x(label.mark.tokens))),
    '</svg>',
    '',
  ].join('\n');
}

function y(share: number): number {
  return round(plot.bottom - share * (plot.bottom - plot.top));
}

function logScale(from: number, to: number): (value: number) => number {
  const span = Math.log(to / from);
  return (value) => round(plot.left + (Math.log(value / from) / span) * (plot.right - plot.left));
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}

interface Label {
  readonly mark: PlacedMark;
  readonly side: 'left' | 'right';
  readonly y: number;
}

/** A mark with less room than this on its right has its label on the left. */
const nearby = 60;

/** In each cluster of marks, the labels are on both sides, one below the other, and do not cover the marks. */
function placed(marks: readonly PlacedMark[], x: (tokens: number) => number): Label[] {
  const inOrder = [...marks].sort((one, other) => one.tokens - other.tokens);
  const labels = inOrder.map((mark, index): Label => ({ mark, side: sideOf(inOrder, index, x), y: y(mark.mean) }));
  return (['left', 'right'] as const).flatMap((side) => {
    const taken: { readonly at: number; readonly y: number }[] = [];
    return labels
      .filter((label) => label.side === side)
      .sort((one, other) => one.y - other.y)
      .map((label) => {
        const at = x(label.mark.tokens);
        let labelY = label.y;
        while (taken.some((other) => Math.abs(other.y - labelY) < 15 && Math.abs(other.at - at) < 170)) labelY += 1;
        taken.push({ at, y: labelY });
        return { ...label, y: labelY };
      });
  });
}

function sideOf(marks: readonly PlacedMark[], index: number, x: (tokens: number) => number): Label['side'] {
  const at = x(marks[index]?.tokens ?? 0);
  if (at > plot.right - 150) return 'left';
  const crowd = marks.filter(({ tokens }) => Math.abs(x(tokens) - at) < nearby);
  return crowd.length > 1 && marks.indexOf(crowd[Math.floor(crowd.length / 2)] as PlacedMark) > index
    ? 'left'
    : 'right';
}

function markText({ mark: { name, mean, low, high }, side, y: labelY }: Label, at: number): string {
  const way = side === 'left' ? -1 : 1;
  const labelX = round(at + way * 44);
  return [
    `<path d="M${at} ${y(low)}V${y(high)}" stroke="#0969da" stroke-opacity="0.35" stroke-width="2"/>`,
    `<circle cx="${at}" cy="${y(mean)}" r="4.5" fill="#0969da"/>`,
    `<path d="M${round(at + way * 6)} ${y(mean)}L${round(labelX - way * 4)} ${labelY}" stroke="#8c959f" stroke-width="1"/>`,
    `<text x="${labelX}" y="${labelY + 4}" text-anchor="${side === 'left' ? 'end' : 'start'}" fill="#1f2328">${name}</text>`,
  ].join('');
}
