import { describe, expect, it } from 'vitest';
import { lateCoreOf } from '../../../extension/conversations/requests/late-core';
import type { Entry } from '../../../extension/engine/conversation/entry';
import type { CoreItem, PinKind } from '../../../extension/engine/core/core';
import { type CoreItems, changeItem, editItem, emptyCoreItems, pinItem } from '../../../extension/engine/core/items';
import { emptyJournalState } from '../../../extension/engine/journal/journal-state';

/** The time of a number: one minute each. */
const at = (minute: number) => `2026-11-27T12:${String(minute).padStart(2, '0')}:00.000Z`;

function entry(role: 'user' | 'assistant', minute: number): Entry {
  const text = `${role} ${minute}`;
  return { id: text, role, parts: [{ type: 'text', text }], timestamp: at(minute), origin: { file: '', line: 0 } };
}

const entries = [entry('user', 0), entry('assistant', 2), entry('user', 4), entry('assistant', 6)];
const conversation = { entries, agentContext: entries, agentCompactions: [] };

function pinned(
  core: CoreItems,
  minute: number,
  text: string,
  kind: PinKind = 'constraint',
  more: Partial<CoreItem> = {},
): CoreItems {
  const fixed = { rationale: null, entryId: null, status: 'active' } as const;
  const item: CoreItem = { ...fixed, id: text, kind, text, timestamp: at(minute), ...more };
  return pinItem(core, item, at(minute));
}

const late = ({ items, history }: CoreItems, { entries } = conversation) =>
  lateCoreOf({
    state: { ...emptyJournalState, items, itemHistory: history },
    conversation: { ...conversation, entries, agentContext: entries },
  });

describe('the core of a request', () => {
  it('a late pin comes before the first reply after it, and older pins come first', () => {
    const core = pinned(pinned(pinned(emptyCoreItems, 1, 'Never push.'), 3, 'Never rename.'), 7, 'Be short.');
    const found = late(core);
    expect(found?.first).toContain('Never push.');
    expect(found?.parts.map(({ before }) => before)).toEqual(['assistant 6', null]);
    expect(found?.parts[0]?.text).toContain('Never rename.');
    expect(found?.parts[0]?.text).not.toContain('Never push.');
  });

  it('goes first as a whole if all replies came with the first request', () => {
    const brought = { entries: entries.map((one) => ({ ...one, timestamp: at(1) })) };
    expect(late(pinned(emptyCoreItems, 3, 'Never push.'), brought as typeof conversation)).toBeNull();
  });

  it('goes first as a whole without a late pin', () => {
    expect(late(emptyCoreItems)).toBeNull();
    expect(late(pinned(emptyCoreItems, 1, 'Never push.'))).toBeNull();
  });

  it('an item that is edited or retired later stays as it was sent, followed by the change', () => {
    const early = pinned(emptyCoreItems, 1, 'Never push.');
    const edited = late(editItem(early, 'Never push.', { text: 'Push never.', rationale: null }, at(3)));
    expect(edited?.first).toContain('- Never push.');
    expect(edited?.parts).toEqual([
      { before: 'assistant 6', text: expect.stringMatching(/Push never\.\n\n## No Longer in Force\n- Never push\./) },
    ]);
    const retired = late(changeItem(pinned(early, 3, 'Never rename.'), 'Never rename.', 'done', at(7)));
    expect(retired?.first).not.toContain('Never rename.');
    expect(retired?.parts.map(({ before }) => before)).toEqual(['assistant 6', null]);
    expect(retired?.parts[1]?.text).toMatch(/No Longer in Force\n- Never rename\.$/);
  });

  it.each([
    ['with its text', { text: 'Use Postgres 17.', rationale: null }, '- Use Postgres 17.'],
    ['alone', { text: 'Use Postgres.', rationale: null }, '- Use Postgres.'],
    ['for another', { text: 'Use Postgres.', rationale: 'It scales.' }, '- Use Postgres. (because: It scales.)'],
  ])('keeps the reason that was sent for a decision whose reason is changed %s', (_, change, stated) => {
    const early = pinned(emptyCoreItems, 1, 'Use Postgres.', 'decision', { rationale: 'SQLite locks.' });
    const edited = late(editItem(early, 'Use Postgres.', change, at(3)));
    expect(edited?.first).toContain('- Use Postgres. (because: SQLite locks.)\n');
    const { before, text } = edited?.parts[0] ?? {};
    expect(before).toBe('assistant 6');
    expect(text).toContain(`## Key Decisions\n${stated}\n`);
    expect(text).toContain('## No Longer in Force\n- Use Postgres. (because: SQLite locks.)');
    expect(late(early)).toBeNull();
  });

  it('the core is sent as before a compaction that was undone', () => {
    const core = pinned(emptyCoreItems, 3, 'Never rename.');
    const compacted = (active: boolean) =>
      lateCoreOf({
        conversation,
        state: {
          ...{ ...emptyJournalState, items: core.items, itemHistory: core.history },
          compactions: [{ active, record: { time: at(5) } }] as never,
        },
      });
    expect(compacted(true)).toBeNull();
    expect(compacted(false)).toEqual(late(core));
  });

  it('goes first as a whole if a goal was pinned or decided about', () => {
    const core = pinned(pinned(emptyCoreItems, 1, 'Never push.'), 3, 'Never rename.');
    expect(late(pinned(core, 5, 'Ship it.', 'goal'))).toBeNull();
    expect(late(changeItem(core, 'original-goal', 'done', at(5)))).toBeNull();
  });

  it('the core is sent unchanged while a goal is only proposed or was refused, and first as a whole once it is accepted', () => {
    const core = pinned(emptyCoreItems, 3, 'Never rename.');
    const proposed = pinned(core, 5, 'Ship it.', 'goal', { status: 'proposed', proposedBy: 'agent' });
    expect(late(core)).not.toBeNull();
    expect(late(proposed)).toEqual(late(core));
    expect(late(changeItem(proposed, 'Ship it.', 'refused', at(7)))).toEqual(late(core));
    expect(late(changeItem(proposed, 'Ship it.', 'active', at(7)))).toBeNull();
  });
});
