import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { KnownEntries } from '../../extension/conversations/known-entries';
import { isSystemPrompt } from '../../extension/conversations/requests/system-prompt';
import type { Role } from '../../extension/engine/conversation/entry';
import { StrataBuilder } from '../../extension/sessions/strata/builder';
import type { ConversationRecord } from '../../extension/sessions/strata/records';

type Draft = (records: readonly ConversationRecord[]) => ConversationRecord;

function idsIn(records: readonly ConversationRecord[]): string[] {
  return records.flatMap((record) => (record.type === 'entry' ? [record.entry.id] : []));
}

/** The parent of a new entry: the newest message, or one that many messages before it. */
function parentIn(records: readonly ConversationRecord[], back: number): string | null {
  const ids = idsIn(records);
  return ids[ids.length - 1 - back] ?? null;
}

const time = '2026-01-01T00:00:00.000Z';
const back = fc.oneof({ weight: 4, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: fc.nat(6) });

const parts = fc.constantFrom<{ readonly role: Role; readonly parts: readonly object[] }>(
  { role: 'user', parts: [{ type: 'text', text: 'Go.' }] },
  { role: 'assistant', parts: [{ type: 'text', text: 'Done.' }] },
  { role: 'assistant', parts: [{ type: 'tool_call', callId: 'a', name: 'read', input: {} }] },
  { role: 'tool', parts: [{ type: 'tool_result', callId: 'a', name: 'read', text: 'ok', isError: false }] },
  { role: 'system', parts: [{ type: 'text', text: 'A reminder.' }] },
);

const draft: fc.Arbitrary<Draft> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.tuple(parts, back, fc.boolean()).map(
      ([said, by, hasPieces]): Draft =>
        (records) => {
          const piece = hasPieces ? records.findLast(({ type }) => type === 'piece') : undefined;
          const entry = { id: `e${records.length}`, timestamp: time, ...said };
          const pieces = piece?.type === 'piece' ? { pieces: piece.id } : {};
          return { type: 'entry', parent: parentIn(records, by), entry, ...pieces } as ConversationRecord;
        },
    ),
  },
  {
    weight: 2,
    arbitrary: fc.tuple(fc.nat(2), back).map(
      ([name, by]): Draft =>
        (records) => {
          const part = { type: 'text', text: 'some ' } as const;
          return { type: 'piece', id: `p${name}`, parent: parentIn(records, by), time, part };
        },
    ),
  },
  {
    weight: 1,
    arbitrary: back.map(
      (by): Draft =>
        (records) => ({ type: 'leaf', id: parentIn(records, by) }),
    ),
  },
  {
    weight: 1,
    arbitrary: fc.constant<Draft>((records) => ({
      type: 'system',
      entry: {
        id: `system:${records.length}`,
        role: 'system',
        timestamp: time,
        parts: [{ type: 'text', text: 'Be brief.' }],
      },
    })),
  },
);

function built(records: readonly ConversationRecord[]) {
  const builder = new StrataBuilder('');
  for (const record of records) builder.acceptRecord({ ...record }, 0);
  return builder.session().conversation;
}

describe('a conversation that grows', () => {
  it('has the same context, path and known beginnings as one that is read again', () =>
    fc.assert(
      fc.property(fc.array(draft, { maxLength: 40 }), (drafts) => {
        const growing = new StrataBuilder('');
        const known = new KnownEntries();
        const records: ConversationRecord[] = [];
        for (const make of drafts) {
          const record = make(records);
          records.push(record);
          growing.acceptRecord({ ...record }, 0);
          const { conversation } = growing.session();
          const whole = built(records);
          expect(conversation).toEqual(whole);
          const ids = new Set(whole.entries.map(({ id }) => id));
          known.update(conversation);
          expect(known.systemPrompts).toEqual(whole.entries.filter(isSystemPrompt));
          expect(known.path).toEqual(whole.agentContext.filter((one) => ids.has(one.id) && !isSystemPrompt(one)));
          const asked = [...known.path.map(({ id }) => ({ id })), { id: 'unknown' }];
          expect(known.prefixOf(asked)).toBe(asked.length - 1);
          expect(known.prefixOf(conversation.entries)).toBe(conversation.entries.length);
          expect(known.consistsOf(known.path.map(({ id }) => ({ id })))).toBe(true);
          expect(known.consistsOf(known.path)).toBe(true);
          expect(known.consistsOf(asked)).toBe(false);
          const shorter = known.path.slice(0, -1);
          expect(known.consistsOf(shorter)).toBe(known.path.length === 0);
          expect(known.consistsOf([...shorter, { id: 'other' }])).toBe(false);
          for (const { id } of whole.entries) expect(known.has(id)).toBe(true);
          expect(known.has('unknown')).toBe(false);
        }
      }),
      { numRuns: 300 },
    ));

  it('forgets the pieces of a reply once the whole reply has another id', () => {
    const pieces: ConversationRecord = {
      type: 'piece',
      id: 'p',
      parent: null,
      time,
      part: { type: 'text', text: 'a' },
    };
    const entry = { id: 'whole', role: 'assistant', timestamp: time, parts: [{ type: 'text', text: 'a' }] } as const;
    const known = new KnownEntries().update(built([pieces]));
    expect(known.prefixOf([{ id: 'p' }])).toBe(1);
    known.update(built([pieces, { type: 'entry', parent: null, entry, pieces: 'p' }]));
    expect(known.prefixOf([{ id: 'p' }])).toBe(0);
    expect(known.prefixOf([{ id: 'whole' }])).toBe(1);
  });
});
