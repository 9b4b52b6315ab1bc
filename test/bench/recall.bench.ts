import { beforeAll, describe, it } from 'vitest';
import { type SectionName, sections } from '../../extension/engine/block/sections';
import { countWithO200k } from '../../extension/engine/conversation/tokenizer';
import { strategyChoices } from '../../extension/engine/run/prepare/registry';
import type { Remainder } from '../../extension/evaluation/measure/replay/ways';
import { boundaries, type NeedyBoundary } from './recall/boundaries';
import { extractiveBlock, heldBy, recallOf } from './recall/held';
import { printTable, type Row } from './recall/table';

/**
 * Forward recall: of the names that the next forty entries use and that were known before, the share that stands in
 * what took the place of the older entries. In parentheses the same with the names in the contents of files that those
 * entries write, which no summary is asked to keep.
 *
 * The weights were tried out on the simulated boundaries of `pi-v1`. The others were looked at as well while choosing
 * what names and the person's words take of a block, so that they are no clean test of that; and boundaries of one
 * session overlap, so that they are fewer than they look. A path in a list of its folder (`src/{plan.ts,run.ts}`) counts.
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
    ['extractive, a fifth of its tokens', (boundary) => extractiveBlock(boundary, Math.round(tokens / 5))],
    ['extractive, as many tokens', (boundary) => extractiveBlock(boundary, tokens)],
    ['extractive in running text, as many tokens', (boundary) => extractiveBlock(boundary, tokens, runningText)],
    ...strategyChoices().map(
      (choice): Way => [`strategy ${choice.name}, as many tokens`, (boundary) => heldBy(choice, boundary, tokens)],
    ),
  ];
}

/** A summary of an agent is about this long. */
const typical = { most: 1600, share: 0.05 };
const generous = 3000;
const runningText: readonly SectionName[] = [];

function simulatedWays({ replacedTokens }: NeedyBoundary): Way[] {
  const usual = Math.min(typical.most, Math.round(replacedTokens * typical.share));
  const label = `min(${typical.most}, ${typical.share * 100} %)`;
  return [
    [`extractive, ${label}`, (boundary) => extractiveBlock(boundary, usual)],
    [`extractive as a goal batch, ${label}`, (boundary) => extractiveBlock(boundary, usual, sections.goalBatch)],
    [`extractive in running text, ${label}`, (boundary) => extractiveBlock(boundary, usual, runningText)],
    [`extractive, ${generous} tokens`, (boundary) => extractiveBlock(boundary, generous)],
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
