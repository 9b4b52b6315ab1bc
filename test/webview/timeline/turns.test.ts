import { describe, expect, it } from 'vitest';
import { foundIn } from '../../../webview/state/timeline/filter.svelte';
import { findTurns, hiddenRows } from '../../../webview/state/timeline/turns';
import { blockRow, row } from '../builders/view';

const user = (key: string) => row(key, { kind: 'user' });

describe('the turns of a session', () => {
  it('reach from one message of the person to the next', () => {
    const turns = findTurns([
      row('s', { kind: 'system' }),
      user('u1'),
      row('a'),
      row('i', { kind: 'injected' }),
      user('u2'),
    ]);

    expect([...turns.opener]).toEqual([-1, 1, 1, 1, 4]);
    expect([...turns.place]).toEqual([1, 2, 1, 2, 3]);
    expect([turns.end[1], turns.end[4], turns.size]).toEqual([4, 5, 3]);
  });

  it('contain the summaries of their own rows, but no block that replaces other turns', () => {
    const turns = findTurns([
      user('u1'),
      blockRow('tools', 'strata:1'),
      blockRow('batch', 'strata:2', { kind: 'goal_batch' }),
      row('a'),
    ]);

    expect([...turns.opener]).toEqual([0, 0, -1, -1]);
  });

  it('add up what they hide', () => {
    const tool = (outcome: 'ok' | 'error' | 'running') => ({
      name: 'bash',
      subject: '',
      outcome,
      result: '',
      pruned: false,
    });
    const rows = [
      user('u'),
      row('a', { tool: tool('ok') }),
      row('b', { tool: tool('error') }),
      row('c', { tool: tool('running') }),
    ];

    expect(hiddenRows(rows, findTurns(rows), 0)).toEqual({ rows: 3, tokens: 300, failed: 1, running: 1 });
  });
});

describe('what the filter found', () => {
  it('is marked in the text, in its own spelling', () => {
    expect(foundIn('Fix the Loader (loader.ts)', ['loader', '(l'])).toEqual([
      { text: 'Fix the ', found: false },
      { text: 'Loader', found: true },
      { text: ' ', found: false },
      { text: '(l', found: true },
      { text: 'oader.ts)', found: false },
    ]);
  });
});
