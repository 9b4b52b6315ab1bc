import { describe, expect, it } from 'vitest';
import { replayViewOf } from '../../../extension/protocol/evaluation-views';
import { findingsOf } from '../../../webview/state/evaluate/findings';
import {
  boundaryKinds,
  comparedWith,
  heldByAgent,
  replayDifferenceSentence,
  wayLines,
  waysToRead,
} from '../../../webview/state/evaluate/replay';
import { replayReport } from '../../builders/replay';

const report = replayReport();
const view = replayViewOf(report);

describe('the replay of real sessions', () => {
  it('puts what to compare with first, then the ways that hold most names', () => {
    expect(wayLines(view, 'agent').map(({ way }) => way)).toEqual([
      'everything',
      'agent',
      'pipeline',
      'checkpoint',
      'a-mem',
      'naive',
    ]);
    expect(wayLines(view, 'simulated').map(({ way }) => way)).not.toContain('agent');
  });

  it('tells how often a way did not fit the budget', () => {
    const over = wayLines(view, 'agent').filter(({ overBudget }) => overBudget > 0);
    expect(over.map(({ way, overBudget }) => [way, overBudget])).toEqual([['a-mem', 1]]);
  });

  it('says what better and worse are measured against, which differs by the kind of boundary', () => {
    expect(comparedWith(view, 'agent')).toContain('the agent’s own summary');
    expect(comparedWith(view, 'simulated')).toContain('checkpoint');
    expect(comparedWith({ ...view, differences: [] }, 'agent')).toBe('');
  });

  it('counts boundaries and sessions, not values and tasks', () => {
    const [difference] = view.differences.filter(({ way }) => way === 'pipeline');
    expect(difference && replayDifferenceSentence(difference)).toMatch(
      /6 boundaries of 6 sessions\) against .*: better$/,
    );
  });

  it('has a table only for the kinds of boundaries that occur', () => {
    expect(boundaryKinds(view)).toEqual(['agent', 'simulated']);
    expect(boundaryKinds({ measured: { agent: 0, simulated: 6 } })).toEqual(['simulated']);
  });

  it('opens the agent’s own summary beside the best way that fits the budget', () => {
    const [own, simulated] = report.boundaries;
    expect(own && waysToRead(own)).toEqual(['agent', 'pipeline']);
    expect(simulated && waysToRead(simulated)).toEqual(['everything', 'pipeline']);
  });

  it('has tables of what agents did again, if that was measured', () => {
    const findings = findingsOf(view);
    expect(findings.map(({ id }) => id)).toEqual(['behaviour', 'spared']);
    expect(findings[1]?.rows).toEqual([['ladder', '60 [54, 66] %', '33.1k']]);
    for (const { columns, rows } of findings) for (const row of rows) expect(row).toHaveLength(columns.length);
    expect(findingsOf({ ...view, behaviour: null })).toEqual([]);
  });

  it('tells in the list what the agent’s own summary held, if there is one', () => {
    const [own, simulated] = view.boundaries;
    expect(own && heldByAgent(own)).toBe('3 of 7 names held by the agent');
    expect(simulated && heldByAgent(simulated)).toBeNull();
  });
});
