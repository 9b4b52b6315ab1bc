import { beforeAll, describe, it } from 'vitest';
import { type SectionName, sections } from '../../extension/engine/block/sections';
import { countWithO200k } from '../../extension/engine/conversation/tokenizer';
import { strategyChoices } from '../../extension/engine/run/prepare/registry';
import type { Remainder } from '../../extension/evaluation/measure/replay/ways';
import { boundaries, type NeedyBoundary } from './recall/boundaries';
import { heldBy, recallOf, transparentBlock } from './recall/held';
import { printTable, type Row } from './recall/table';

/**
 * Measures forward recall: the share of names that the replacement of older entries contains, of those that the next
 * forty entries use and that were known before. The value in parentheses includes the names in the contents of files
 * that those entries write; no summary is asked to keep them. A path in a list of its folder (`src/{plan.ts,run.ts}`)
 * counts. The weights were tuned on the simulated boundaries of `pi-v1`. The other sessions were looked at as well when
 * the shares of names and of the person's words were chosen, so they are not a clean test of that. Boundaries of one
 * session overlap, so there are fewer independent ones than the count suggests.
 */
describe('what later work needs of the compacted entries', () => {
  let found: Awaited<ReturnType<typeof boundaries>>;

  beforeAll(async () => {
    found = await boundaries();
  }, 120_000);

  it('at the compactions that the agents made', async () => {
    const rows = await measuredAt(found.real, realWays);
    printTable('Real compactions', rows, { each: true });
  });

  it('at simulated boundaries', async () => {
    const [triedOn, others] = [found.simulated.filter(isTriedOn), found.simulated.filter((at) => !isTriedOn(at))];
    const title = 'Simulated boundaries, where the agents did not compact';
    printTable(`${title}: those that the weights were tried out on`, await measuredAt(triedOn, simulatedWays), {
      each: false,
    });
    printTable(`${title}: the others`, await measuredAt(others, simulatedWays), { each: false });
  });
});

function isTriedOn({ name }: NeedyBoundary): boolean {
  return name.startsWith('pi-v1/');
}

type Way = readonly [string, (boundary: NeedyBoundary) => Remainder | Promise<Remainder>];

function realWays({ summary }: NeedyBoundary): Way[] {
  const text = summary ?? '';
  const tokens = countWithO200k(text);
  return [
    ['the agent’s own summary', () => ({ text, tokens })],
    ['transparent, a fifth of its tokens', (boundary) => transparentBlock(boundary, Math.round(tokens / 5))],
    ['transparent, as many tokens', (boundary) => transparentBlock(boundary, tokens)],
    ['transparent in running text, as many tokens', (boundary) => transparentBlock(boundary, tokens, runningText)],
    ...strategyChoices().map(
      (choice): Way => [`strategy ${choice.name}, as many tokens`, (boundary) => heldBy(choice, boundary, tokens)],
    ),
  ];
}

/** The usual length of an agent's own summary. */
const typical = { most: 1600, share: 0.05 };
const generous = 3000;
const runningText: readonly SectionName[] = [];

function simulatedWays({ replacedTokens }: NeedyBoundary): Way[] {
  const usual = Math.min(typical.most, Math.round(replacedTokens * typical.share));
  const label = `min(${typical.most}, ${typical.share * 100} %)`;
  return [
    [`transparent, ${label}`, (boundary) => transparentBlock(boundary, usual)],
    [`transparent as a goal batch, ${label}`, (boundary) => transparentBlock(boundary, usual, sections.goalBatch)],
    [`transparent in running text, ${label}`, (boundary) => transparentBlock(boundary, usual, runningText)],
    [`transparent, ${generous} tokens`, (boundary) => transparentBlock(boundary, generous)],
  ];
}

async function measuredAt(all: readonly NeedyBoundary[], waysOf: (boundary: NeedyBoundary) => Way[]): Promise<Row[]> {
  const rows: Row[] = [];
  for (const boundary of all) for (const way of waysOf(boundary)) rows.push(await measured(boundary, way));
  return rows;
}

async function measured(boundary: NeedyBoundary, [way, make]: Way): Promise<Row> {
  const { text, tokens } = await make(boundary);
  return {
    boundary: `${boundary.name}: ${boundary.replacedTokens} tokens, ${boundary.needed.length} names needed`,
    way,
    recall: recallOf(boundary.needed, text),
    recallToWrite: recallOf(boundary.neededToWrite, text),
    tokens,
  };
}
