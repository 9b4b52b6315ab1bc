import { describe, expect, it } from 'vitest';
import { lineOfEntry } from '../../../webview/state/timeline/outline';
import { row } from '../builders/view';

describe('the line of an entry', () => {
  const lines = ['core', 'e1', 'e12', 'e2#reasoning', 'e2', 'e2#call-1'].map((key) => ({ row: row(key) }));

  it('is its row, or the first of several rows of a reply', () => {
    expect([lineOfEntry(lines, 'e12'), lineOfEntry(lines, 'e1'), lineOfEntry(lines, 'e2')]).toEqual([2, 1, 3]);
  });

  it('does not exist if the timeline does not show it', () => {
    expect([lineOfEntry(lines, 'e'), lineOfEntry([], 'e1')]).toEqual([-1, -1]);
  });
});
