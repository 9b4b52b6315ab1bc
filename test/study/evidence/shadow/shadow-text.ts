import { percentText } from '../../../../extension/evaluation/measure/replay/replay-text';
import type { Estimate } from '../../../../extension/evaluation/measure/report';
import type { ShadowCell } from '../found';

/** Prepared compactions as Markdown. */
export function shadowSection(cells: readonly ShadowCell[]): string[] {
  if (cells.length === 0) return [];
  return [
    '## Compactions prepared some steps ahead',
    '',
    'Names that the work needed after the steps, in the block and the steps together, at equal tokens. Mean share in percent, and differences',
    'in points [95 % interval by bootstrap over projects].',
    '',
    '| strategy | steps | way | names | over at once | over with names | mean tokens | points of projects |',
    '| --- | --- | --- | --- | --- | --- | --- | --- |',
    ...cells.map(
      ({ strategy, steps, way, names, overAtOnce, overNames, tokens }) =>
        `| ${strategy} | ${steps} | ${way} | ${percentText(names)} | ${points(overAtOnce)} | ${points(overNames)} | ${tokens} | ${names.count} of ${names.tasks} |`,
    ),
    '',
  ];
}

function points({ mean, low, high }: Estimate): string {
  const signed = (value: number) => `${value > 0 ? '+' : ''}${(value * 100).toFixed(1)}`;
  return mean === 0 && low === 0 && high === 0 ? '' : `${signed(mean)} [${signed(low)}, ${signed(high)}]`;
}
