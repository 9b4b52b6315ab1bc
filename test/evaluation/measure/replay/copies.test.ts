import { describe, expect, it } from 'vitest';
import { agentBoundaries, simulatedBoundaries } from '../../../../extension/evaluation/measure/replay/boundaries';
import { Copies } from '../../../../extension/evaluation/measure/replay/copies';
import { summarised } from '../../../builders/agent-compaction';
import { assistant, quickLedger, talk, toolTurn, user } from '../../../builders/conversation';

const ledger = quickLedger();

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
    const copies = new Copies(ledger, 4);
    const take = (boundaries: ReturnType<typeof short>) =>
      copies.boundariesToMeasure({ agent: 'pi', id: 'a', boundaries }).boundaries;
    const [first] = take(short('One.'));
    const [longer] = take(short('One.', 'Two.'));
    expect(longer?.key).toBe(first?.key);
    expect(longer?.boundary.after).toHaveLength(2);
    expect(take(short('One.'))).toEqual([]);
    expect(copies.sessions).toBe(1);
  });

  it('copies of a session with different ids count as one session if they share a boundary', () => {
    const copies = new Copies(ledger, 4);
    const session = (id: string, text: string) => {
      const boundaries = agentBoundaries(summarised([user(text)], 'Fixing it.', [assistant('One.')])).boundaries;
      return copies.boundariesToMeasure({ agent: 'pi', id, boundaries }).session;
    };
    expect([session('a', 'Fix it.'), session('b', 'Fix it.'), session('c', 'Break it.')]).toEqual([
      'pi a',
      'pi a',
      'pi c',
    ]);
    expect(copies.sessions).toBe(2);
  });

  it('copies of a session share the maximum of simulated boundaries, spread over the session', () => {
    const copies = new Copies(ledger, 3);
    const take = (turns: number) =>
      copies.boundariesToMeasure({ agent: 'pi', id: 'a', boundaries: long(turns) }).boundaries;
    const all = long(60).map(({ step }) => step);
    expect(take(60).map(({ boundary }) => boundary.step)).toEqual([
      all[0],
      all[Math.round((all.length - 1) / 2)],
      all.at(-1),
    ]);
    expect(take(90)).toEqual([]);
  });
});
