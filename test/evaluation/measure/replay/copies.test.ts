import { describe, expect, it } from 'vitest';
import {
  agentBoundaries,
  type Boundary,
  simulatedBoundaries,
} from '../../../../extension/evaluation/measure/replay/boundaries';
import { Copies, knownBoundary } from '../../../../extension/evaluation/measure/replay/copies';
import { summarised } from '../../../builders/agent-compaction';
import { assistant, quickLedger, talk, toolTurn, user } from '../../../builders/conversation';

const ledger = quickLedger();
const known = (boundary: Boundary) => knownBoundary(boundary, ledger);

function short(...after: string[]) {
  return agentBoundaries(
    summarised(
      [user('Fix it.')],
      'Fixing it.',
      after.map((text) => assistant(text)),
    ),
  ).boundaries;
}

function long(turns: number) {
  return simulatedBoundaries(talk(Array.from({ length: turns }, (_, at) => toolTurn(`part${at}`)).flat()), ledger);
}

describe('copies of a session', () => {
  it('copies of a session count once, and the boundary with most entries after it is measured', () => {
    const copies = new Copies(4);
    const take = (boundaries: ReturnType<typeof short>) =>
      copies.boundariesToMeasure({ agent: 'pi', id: 'a', boundaries: boundaries.map(known) }).keys;
    const first = take(short('One.'));
    expect(first).toHaveLength(1);
    expect(take(short('One.', 'Two.'))).toEqual(first);
    expect(take(short('One.'))).toEqual([]);
    expect(copies.sessions).toBe(1);
  });

  it('copies of a session with different ids count as one session if they share a boundary', () => {
    const copies = new Copies(4);
    const session = (id: string, text: string) => {
      const boundaries = agentBoundaries(summarised([user(text)], 'Fixing it.', [assistant('One.')])).boundaries;
      return copies.boundariesToMeasure({ agent: 'pi', id, boundaries: boundaries.map(known) }).session;
    };
    expect([session('a', 'Fix it.'), session('b', 'Fix it.'), session('c', 'Break it.')]).toEqual([
      'pi a',
      'pi a',
      'pi c',
    ]);
    expect(copies.sessions).toBe(2);
  });

  it('copies of a session share the maximum of simulated boundaries, spread over the session', () => {
    const copies = new Copies(3);
    const take = (turns: number) =>
      copies.boundariesToMeasure({ agent: 'pi', id: 'a', boundaries: long(turns).map(known) }).keys;
    const all = long(60).map((boundary) => known(boundary).key);
    expect(take(60)).toEqual([all[0], all[Math.round((all.length - 1) / 2)], all.at(-1)]);
    expect(take(90)).toEqual([]);
  });
});
