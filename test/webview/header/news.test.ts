import { describe, expect, it } from 'vitest';
import { newsOf } from '../../../webview/state/header/news';
import { compaction, row, view } from '../builders/view';

describe('what is read out', () => {
  it('is silent while a session grows', () => {
    const before = view();
    const after = { ...before, rows: [row('a')], gauge: { ...before.gauge, total: 900 } };

    expect(newsOf(before, after)).toBeNull();
  });

  it('tells which compaction was applied, and which was undone', () => {
    const before = view({ compactions: [compaction(1)] });
    const applied = { ...before, compactions: [compaction(1), compaction(2)] };
    const undone = { ...applied, compactions: [compaction(1), compaction(2, { active: false })] };

    expect(newsOf(before, applied)).toMatch(/^Compaction #2 tool-calls applied: the context has 0 tokens\.$/);
    expect(newsOf(applied, undone)).toMatch(/^Compaction #2 tool-calls undone/);
    expect(newsOf(undone, applied)).toMatch(/^Compaction #2 tool-calls applied/);
    expect(newsOf(view(), applied)).toMatch(/^2 compactions applied/);
  });

  it('tells once that everything is counted', () => {
    const counted = view();
    const counting = { ...counted, gauge: { ...counted.gauge, source: 'counting' as const } };

    expect(newsOf(counting, counted)).toMatch(/^Tokens are counted: /);
    expect(newsOf(counted, counted)).toBeNull();
  });

  it('tells which session was opened, and that it was closed', () => {
    expect(newsOf(null, view())).toMatch(/^Session of .* opened/);
    expect(newsOf(view(), null)).toBe('The session is closed.');
    expect(newsOf(null, null)).toBeNull();
  });
});
