import { describe, expect, it } from 'vitest';
import { isOriginalGoalOver, itemsAt } from '../../../extension/engine/core/items-at';
import { foldJournal } from '../../../extension/engine/journal/journal-state';

const item = {
  ...({ id: 'i', kind: 'constraint', text: 'First.', rationale: null } as const),
  ...({ timestamp: '2026-01-05T00:00:00Z', entryId: null, status: 'active' } as const),
};
const pin = { kind: 'pin', seq: 1, time: item.timestamp, item } as const;
const edit = (seq: number, day: string, text: string) =>
  ({ kind: 'core-edit', seq, time: `2026-01-${day}T00:00:00Z`, itemId: 'i', text, rationale: null }) as const;

function textAt(day: string, ...edits: ReturnType<typeof edit>[]): string | undefined {
  return itemsAt(foldJournal([pin, ...edits]), Date.parse(`2026-01-${day}T00:00:00Z`))[0]?.text;
}

describe('core item at a time in the past', () => {
  it('a core item at a time in the past has its wording of that time and does not exist before it was pinned', () => {
    const edits = [edit(2, '07', 'Second.'), edit(3, '09', 'Third.')];
    expect(['04', '06', '08', '10'].map((day) => textAt(day, ...edits))).toEqual([
      undefined,
      'First.',
      'Second.',
      'Third.',
    ]);
  });

  it('a core item at a time in the past has its reason of that time', () => {
    const decision = { ...pin, item: { ...item, kind: 'decision', rationale: 'It is small.' } } as const;
    const state = foldJournal([decision, edit(2, '07', 'First.')]);
    const reasons = ['06', '08'].map((day) => itemsAt(state, Date.parse(`2026-01-${day}T00:00:00Z`))[0]?.rationale);
    expect(reasons).toEqual(['It is small.', null]);
  });

  it('a core item at a time in the past has no effect on the original goal before a person marked it done', () => {
    const done = {
      kind: 'core-change',
      seq: 1,
      time: '2026-01-07T00:00:00Z',
      itemId: 'original-goal',
      status: 'done',
    } as const;
    const { itemHistory } = foldJournal([done, { ...done, seq: 2, time: '2026-01-09T00:00:00Z', status: 'active' }]);
    const isOver = (day: string) => isOriginalGoalOver(itemHistory, Date.parse(`2026-01-${day}T00:00:00Z`));
    expect(['06', '08', '10'].map(isOver)).toEqual([false, true, false]);
    expect(isOriginalGoalOver(itemHistory, null)).toBe(false);
  });

  it('a core item at a time in the past does not exist before it was pinned, even if the clock was set back later', () => {
    expect(textAt('04', edit(2, '03', 'Second.'))).toBeUndefined();
    expect(textAt('06', edit(2, '08', 'Second.'), edit(3, '05', 'Third.'))).toBe('First.');
  });
});
