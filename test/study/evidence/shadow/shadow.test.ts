import { describe, expect, it } from 'vitest';
import { branchOf } from '../../../../extension/engine/conversation/branch';
import { entriesAfter, simulatedBoundaries } from '../../../../extension/evaluation/measure/replay/boundaries';
import { toolsWithoutModel } from '../../../../extension/summarizers/without-model';
import { assistant, call, quickLedger, result, talk, user } from '../../../builders/conversation';
import type { ShadowWay } from '../found';
import { nothingAt } from '../nothing-at';
import { laterCommit } from './later-steps';
import { measureShadow } from './measure-shadow';
import { NamesTogether, nameLine } from './repair-by-use';
import { shadowCells } from './shadow-report';
import { shadowSection } from './shadow-text';

/** A session in which reads of a loader and of a parser alternate, and the loader is needed again at the end. */
function session() {
  const read = (number: number) => {
    const file = number % 20 < 10 || number > 60 ? `src/loader${number % 7}.ts` : `src/parser${number % 9}.ts`;
    return [
      call(`c${number}`, 'read', { path: file }),
      result(`c${number}`, `export function partOf${number % 7}() {}\n${'// line of code\n'.repeat(400)}`),
    ];
  };
  const conversation = talk([
    user('Repair the loader.'),
    ...Array.from({ length: 90 }, (_, number) => read(number)).flat(),
    assistant('Done.'),
  ]);
  const ledger = quickLedger();
  const [boundary] = simulatedBoundaries(conversation, ledger);
  if (!boundary) throw new Error('It has no boundary.');
  return { branch: branchOf(conversation), boundary, ledger };
}

describe('a compaction that is prepared some steps ahead', () => {
  const { branch, boundary, ledger } = session();

  it('is carried out after the last reply that it waits for, if enough comes after it', () => {
    const commit = laterCommit(branch, boundary, 5);
    expect(commit?.tail.filter(({ role }) => role === 'assistant')).toHaveLength(5);
    expect(commit?.tail.at(-1)?.role).toBe('tool');
    expect(commit?.after).toHaveLength(entriesAfter);
    expect(laterCommit(branch, boundary, 60)).toBeNull();
  });

  it('is not measured if the agent compacted meanwhile', () => {
    const compaction = { compaction: {} as never, step: boundary.step + 3 };
    expect(laterCommit({ ...branch, compactions: [compaction] }, boundary, 5)).toBeNull();
  });

  it('gets names from beside those that the steps sought', () => {
    const { entries } = talk([
      assistant('oldHelper.ts belongs to oldLoader.ts.'),
      ...Array.from({ length: 8 }, (_, number) => assistant(`See part${number}.ts and parser${number}.ts.`)),
    ]);
    const together = new NamesTogether(entries);
    expect(together.byUse().at(-1)).toBe('oldLoader.ts');
    expect(together.byUse(new Set(['oldHelper.ts'])).slice(0, 4)).toContain('oldLoader.ts');
  });

  it('gets as many names as there is room for, and none that is there', () => {
    const line = (room: number) =>
      nameLine(['one.ts', 'two.ts', 'three.ts'], { context: 'see two.ts', room, countTokens: (text) => text.length });
    expect(line(100)).toBe('\n- one.ts, three.ts');
    expect(line(12)).toBe('\n- one.ts');
    expect(line(3)).toBe('');
  });

  it('is compared at equal tokens with the same compaction at once, by names and by repeated reads', async () => {
    const ways = await measureShadow(branch, boundary, {
      ledger,
      tools: toolsWithoutModel,
      signal: new AbortController().signal,
      pause: async () => undefined,
    });
    expect(new Set(ways.map(({ strategy, steps }) => `${strategy} ${steps}`))).toEqual(
      new Set(['checkpoint', 'ladder'].flatMap((name) => [5, 10, 20].map((steps) => `${name} ${steps}`))),
    );
    for (const each of ways) {
      const atOnce = ways.find((other) => isOf(other, each) && other.way === 'at once');
      expect(each.needed).toBeGreaterThan(0);
      expect(each.tokens).toBeLessThanOrEqual((atOnce?.tokens ?? 0) * 1.02);
    }
  });
});

const isOf = (one: ShadowWay, other: ShadowWay) => one.strategy === other.strategy && one.steps === other.steps;

it('prepared compactions are reported with their differences, paired by boundary', () => {
  const held = { 'at once': 4, 'with names': 6, repaired: 5, anew: 4 } as const;
  const shadow = (Object.keys(held) as (keyof typeof held)[]).map((way) => {
    return { strategy: 'checkpoint', steps: 5, way, names: held[way], needed: 10, tokens: 1000 };
  });
  // Two boundaries for each of eight projects.
  const found = Array.from({ length: 16 }, (_, at) => ({ ...nothingAt(`project ${at % 8}`), shadow }));
  const cells = shadowCells(found);
  const repaired = cells.find(({ way }) => way === 'repaired');
  expect(repaired?.overAtOnce.mean).toBeCloseTo(0.1);
  expect(repaired?.overNames.mean).toBeCloseTo(-0.1);
  expect(shadowSection(cells).join('\n')).toContain(
    '| checkpoint | 5 | repaired | 50 [50, 50] | +10.0 [+10.0, +10.0] | -10.0 [-10.0, -10.0] | 1000 | 16 of 8 |',
  );
});
