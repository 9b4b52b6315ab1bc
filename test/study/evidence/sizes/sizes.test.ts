import { describe, expect, it } from 'vitest';
import { simulatedBoundaries } from '../../../../extension/evaluation/measure/replay/boundaries';
import { needsOf } from '../../../../extension/evaluation/measure/replay/measure';
import { toolsWithoutModel } from '../../../../extension/summarizers/without-model';
import { assistant, call, quickLedger, result, talk, user } from '../../../builders/conversation';
import { nothingAt } from '../nothing-at';
import { measureSizes } from './measure-sizes';
import { sizeCells, sizeSection } from './size-report';

/** Reads of many files, some of which are needed again; each is `lines` long. */
function boundaryOf(lines: number) {
  const read = (number: number) => [
    call(`c${number}`, 'read', { path: `src/loader${number % 30}.ts` }),
    result(`c${number}`, `export function partOf${number % 30}() {}\n${'// line of code\n'.repeat(lines)}`),
  ];
  const conversation = talk([
    user('Repair the loader. Never touch src/parser.ts.'),
    ...Array.from({ length: 90 }, (_, number) => read(number)).flat(),
    assistant('Done.'),
  ]);
  const ledger = quickLedger();
  const [boundary] = simulatedBoundaries(conversation, ledger);
  if (!boundary) throw new Error('It has no boundary.');
  const order = {
    ledger,
    tools: toolsWithoutModel,
    signal: new AbortController().signal,
    pause: async () => undefined,
  };
  return measureSizes(boundary, needsOf(boundary), order);
}

describe('what a smaller size holds', () => {
  it('is measured in each size, and a smaller one holds no more', async () => {
    const sizes = await boundaryOf(400);
    expect(sizes.map(({ share }) => share)).toEqual([0.75, 0.5, 0.25, 0.125]);
    const tokens = sizes.map((size) => size.tokens);
    expect(tokens).toEqual([...tokens].sort((one, other) => other - one));
    expect(sizes.at(-1)?.names).toBeLessThanOrEqual(sizes[0]?.names ?? 0);
    expect(sizes[0]?.names).toBeGreaterThan(0);
  });

  it('is not measured if little is replaced', async () => {
    expect(await boundaryOf(130)).toEqual([]);
  });

  it('is reported by size, with the means over boundaries', () => {
    const sizes = [0.25, 0.5].map((share) => ({ share, tokens: 1000, names: 7, messages: 0 }));
    const cells = sizeCells([{ ...nothingAt('a'), names: 7, messages: 2, sizes }]);
    expect(cells).toMatchObject([{ share: 0.5, names: { mean: 1, count: 1 }, messages: { mean: 0 } }, { share: 0.25 }]);
    expect(sizeSection(cells).join('\n')).toContain('| 50 % | 100 [100, 100] (1) | 0 [0, 0] (1) | 1000 |');
    expect(sizeSection([])).toEqual([]);
  });
});
