import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Item, type LabelledBoundary, readLabels } from './labels';

const files = readdirSync(import.meta.dirname).filter((name) => name.endsWith('.json'));

describe.each(files)('the labels in %s', (name) => {
  const read = () => readLabels(join(import.meta.dirname, name));

  it('rest on records before their boundary', async () => {
    for (const labelled of (await read()).boundaries) {
      const late = allItems(labelled).filter(({ line }) => line >= labelled.record);
      expect(late, `${labelled.session} ${labelled.record}`).toEqual([]);
    }
  });

  it('keep each session in one half', async () => {
    const halves = new Map<string, string>();
    for (const { session, half } of (await read()).boundaries) {
      expect(halves.get(session) ?? half, session).toBe(half);
      halves.set(session, half);
    }
  });

  it('have a boundary once', async () => {
    const places = (await read()).boundaries.map(({ session, record }) => `${session} ${record}`);
    expect(new Set(places).size).toBe(places.length);
  });

  it('have no empty term', async () => {
    const terms = (await read()).boundaries.flatMap(allItems).flatMap((item) => item.terms);
    expect(terms.filter((term) => term.split('|').some((alternative) => alternative.trim() === ''))).toEqual([]);
  });
});

function allItems(labelled: LabelledBoundary): Item[] {
  const { goal, originalGoal, directions, decisions, findings, openWork, deadEnds, superseded } = labelled;
  return [
    goal,
    ...(originalGoal ? [originalGoal] : []),
    ...directions,
    ...decisions,
    ...findings,
    ...openWork,
    ...deadEnds,
    ...superseded,
  ];
}
