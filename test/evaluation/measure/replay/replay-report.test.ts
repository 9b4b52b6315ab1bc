import { describe, expect, it } from 'vitest';
import type { ReplayBoundary, ReplayWay } from '../../../../extension/evaluation/measure/replay';
import { replayReport, scoreOf } from '../../../../extension/evaluation/measure/replay/replay-report';

const needed = ['one.ts', 'two.ts', 'three.ts', 'four.ts'];

function way(name: string, held: number, isWithinBudget = true): ReplayWay {
  return { way: name, text: '', tokens: 100, isWithinBudget, namesHeld: needed.slice(0, held), messagesHeld: [] };
}

function boundary(session: string, ways: readonly ReplayWay[], more: Partial<ReplayBoundary> = {}): ReplayBoundary {
  return {
    id: `${session} 1`,
    session: { id: session, agent: 'pi', title: session, file: `${session}.jsonl`, project: session },
    kind: 'agent',
    line: 1,
    replacedTokens: 5000,
    names: needed,
    messages: [],
    budget: 100,
    again: null,
    ways,
    ...more,
  };
}

function reportOf(...boundaries: ReplayBoundary[]) {
  const madeWith = { strata: '0', node: '0' };
  const found = { time: '', madeWith, sessions: boundaries.length, skipped: [], boundaries };
  return replayReport(boundaries.map(scoreOf), found);
}

const sessions = ['a', 'b', 'c', 'd', 'e', 'f'];

describe('the report of a replay', () => {
  it('gives the share that each way keeps, with the number of boundaries and sessions', () => {
    const { cells } = reportOf(boundary('a', [way('agent', 0), way('checkpoint', 2), way('everything', 4, false)]));
    const share = (name: string) => cells.find((cell) => cell.way === name && cell.measure === 'names')?.estimate;
    expect([share('agent')?.mean, share('checkpoint')?.mean, share('everything')?.mean]).toEqual([0, 0.5, 1]);
    expect(share('checkpoint')).toMatchObject({ count: 1, tasks: 1 });
  });

  it('counts ways over the budget and leaves them out of estimates and differences', () => {
    const over = [way('agent', 1), way('prune', 4, false)];
    const { cells, differences } = reportOf(...sessions.map((session) => boundary(session, over)));
    const cell = cells.find((found) => found.way === 'prune' && found.measure === 'names');
    expect(cell).toMatchObject({ estimate: null, overBudget: 6, tokens: 0 });
    expect(differences).toEqual([]);
  });

  it('gives no estimate if nothing was needed', () => {
    const { cells } = reportOf(boundary('a', [way('agent', 4)]));
    expect(cells.find(({ measure }) => measure === 'messages')).toMatchObject({ estimate: null, overBudget: 0 });
  });

  it('compares with the agent’s own summary, or with checkpoint if there is none', () => {
    const ways = [way('checkpoint', 4), way('naive', 1)];
    const real = sessions.map((session) => boundary(session, [way('agent', 2), ...ways]));
    const simulated = sessions.map((session) => boundary(session, ways, { kind: 'simulated' }));
    const told = reportOf(...real, ...simulated).differences.map((found) => [
      found.kind,
      found.way,
      found.against,
      found.verdict,
    ]);
    expect(told).toEqual([
      ['agent', 'checkpoint', 'agent', 'better'],
      ['agent', 'naive', 'agent', 'worse'],
      ['simulated', 'naive', 'checkpoint', 'worse'],
    ]);
  });

  it('gives no verdict from one session alone, however many boundaries it has', () => {
    const often = Array.from({ length: 50 }, () => boundary('a', [way('agent', 0), way('checkpoint', 4)]));
    expect(reportOf(...often).differences.map(({ verdict }) => verdict)).toEqual(['unclear']);
  });

  it('compares only boundaries where both ways were measured', () => {
    const both = boundary('a', [way('agent', 2), way('checkpoint', 3)]);
    const alone = boundary('b', [way('checkpoint', 0), way('agent', 4, false)]);
    const [difference] = reportOf(both, alone).differences;
    expect(difference?.estimate).toMatchObject({ mean: 0.25, count: 1 });
  });
});
