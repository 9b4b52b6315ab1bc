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

/** Held against tokens after the last compaction: one mark for each contender, with its interval over tasks. */
export function figureOf(findings: StudyFindings): string {
  const marks = wholeContenders(findings).flatMap((key): PlacedMark[] => {
    const held = meanWithInterval(samplesOf(findings, key, quantityIn('held', findings), lastCompaction));
    const tokens = meanWithInterval(samplesOf(findings, key, quantityIn('tokens', findings), lastCompaction));
    return held && tokens ? [{ name: contenderNames[key] ?? key, tokens: tokens.mean, ...held }] : [];
  });
  const x = logScale(1_000, 40_000);
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" aria-labelledby="title" font-family="system-ui, sans-serif" font-size="12">`,
    '<title id="title">What is held after three compactions, against the tokens of the context</title>',
    `<rect width="${width}" height="${height}" fill="#fff"/>`,
    '<text x="62" y="22" font-size="14" fill="#1f2328">Held after three compactions, against the tokens of the context</text>',
    ...[0, 0.25, 0.5, 0.75, 1].map(
      (share) =>
        `<path d="M${plot.left} ${y(share)}H${plot.right}" stroke="#d0d7de"/><text x="${plot.left - 8}" y="${y(share) + 4}" text-anchor="end" fill="#57606a">${share * 100} %</text>`,
    ),
    ...[1_000, 2_000, 4_000, 8_000, 16_000, 32_000].map(
      (tokens) =>
        `<text x="${x(tokens)}" y="${plot.bottom + 20}" text-anchor="middle" fill="#57606a">${tokens.toLocaleString('en')}</text>`,
    ),
    `<text x="${(plot.left + plot.right) / 2}" y="${plot.bottom + 42}" text-anchor="middle" fill="#57606a">tokens of the context (logarithmic); lines: 95 % intervals over tasks</text>`,
    ...placed(marks, x).map(({ mark, labelY }) => markText(mark, x(mark.tokens), labelY)),
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

/** Lines of labels do not overlap: each is moved down until it is free of those before it. */
function placed(marks: readonly PlacedMark[], x: (tokens: number) => number) {
  const taken: { x: number; y: number }[] = [];
  return [...marks]
    .sort((a, b) => b.mean - a.mean)
    .map((mark) => {
      let labelY = y(mark.mean);
      while (taken.some((other) => Math.abs(other.y - labelY) < 14 && Math.abs(other.x - x(mark.tokens)) < 170))
        labelY += 2;
      taken.push({ x: x(mark.tokens), y: labelY });
      return { mark, labelY };
    });
}

function markText({ name, mean, low, high }: PlacedMark, at: number, labelY: number): string {
  const isRight = at > plot.right - 150;
  const labelX = isRight ? at - 9 : at + 9;
  return [
    `<path d="M${at} ${y(low)}V${y(high)}" stroke="#0969da" stroke-opacity="0.35" stroke-width="2"/>`,
    `<circle cx="${at}" cy="${y(mean)}" r="4.5" fill="#0969da"/>`,
    `<text x="${labelX}" y="${labelY + 4}" text-anchor="${isRight ? 'end' : 'start'}" fill="#1f2328">${name}</text>`,
  ].join('');
}
