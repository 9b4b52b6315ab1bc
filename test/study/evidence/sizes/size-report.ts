import { shareText } from '../../../../extension/evaluation/measure/replay/replay-text';
import { meanWithInterval } from '../../../../extension/evaluation/measure/statistics';
import type { FoundAt, SizeCell } from '../found';

/** Shares that each size keeps, largest first. Bootstrap over projects. */
export function sizeCells(scores: readonly FoundAt[]): SizeCell[] {
  const all = scores.flatMap(({ project, names, messages, sizes }) =>
    sizes.map((size) => ({ project, needed: { names, messages }, size })),
  );
  const shares = [...new Set(all.map(({ size }) => size.share))].sort((one, other) => other - one);
  return shares.map((share): SizeCell => {
    const found = all.filter(({ size }) => size.share === share);
    const estimate = (measure: 'names' | 'messages') =>
      meanWithInterval(
        found
          .filter(({ needed }) => needed[measure] > 0)
          .map(({ project, needed, size }) => ({ cluster: project, value: size[measure] / needed[measure] })),
      );
    const tokens = Math.round(found.reduce((sum, { size }) => sum + size.tokens, 0) / found.length);
    return { share, names: estimate('names'), messages: estimate('messages'), tokens };
  });
}

/** The sizes as Markdown. */
export function sizeSection(sizes: readonly SizeCell[]): string[] {
  if (sizes.length === 0) return [];
  return [
    '## What a smaller size holds',
    '',
    'The default strategy where 40,000 tokens or more are replaced. Mean share in percent [95 % interval by bootstrap over projects] (boundaries).',
    '',
    '| left of what is replaced | names that later work used | messages of the person word for word | mean tokens |',
    '| --- | --- | --- | --- |',
    ...sizes.map(
      ({ share, names, messages, tokens }) =>
        `| ${share * 100} % | ${shareText(names)} | ${shareText(messages)} | ${tokens} |`,
    ),
    '',
  ];
}
