import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { agentCompactions } from '../../../extension/agents/opencode/format/compactions';
import { messageData, partData } from '../../../extension/agents/opencode/format/data';
import { type MessageEntries, messageEntries } from '../../../extension/agents/opencode/format/entries';
import { compareMessages } from '../../../extension/agents/opencode/format/message';
import { OrderedMessages } from '../../../extension/agents/opencode/format/ordered-messages';
import * as s from '../../../extension/platform/json/schemas';
import { asked, replied, text } from './database';

const origin = { file: 'opencode.db#s', line: 0 };
const names = { callId: () => 'c', entryId: (_kind: string, id: string) => id };
type Fields = Readonly<Record<string, unknown>>;

function message(id: string, created: number, data: Fields, part: Fields): MessageEntries {
  const parts = [{ id: `${id}/1`, data: s.read(partData, part) }];
  return messageEntries({ id, created, data: s.read(messageData, data), parts, problems: [] }, origin, names);
}

/** A prompt, its reply, then a compaction that keeps that reply, and its summary. */
function compacted(times: number): MessageEntries[] {
  const messages: MessageEntries[] = [];
  for (let at = 0; messages.length < times * 4; at += 4) {
    messages.push(message(`m${at}`, at, asked, text('look')), message(`m${at + 1}`, at + 1, replied, text('so')));
    messages.push(message(`m${at + 2}`, at + 2, asked, { type: 'compaction', tail_start_id: `m${at + 1}` }));
    const summary = { ...replied, summary: true, parentID: `m${at + 2}` };
    messages.push(message(`m${at + 3}`, at + 3, summary, text('a summary')));
  }
  return messages;
}

/** Counts how often items of the list are read. */
function countReads(list: readonly MessageEntries[], use: (list: readonly MessageEntries[]) => void): number {
  let looks = 0;
  use(
    new Proxy(list, {
      get(target, key) {
        if (typeof key === 'string' && /^\d+$/.test(key)) looks += 1;
        return Reflect.get(target, key);
      },
    }),
  );
  return looks;
}

describe('the cost of a change in an OpenCode session', () => {
  it('the cost of a change in an OpenCode session is linear in the session, however often it was compacted', () => {
    const [short, long] = [100, 400].map((times) =>
      countReads(compacted(times), (list) => agentCompactions(list, origin)),
    );
    expect((long ?? 0) / (short ?? 1)).toBeLessThan(4.5);
    expect(agentCompactions(compacted(3), origin).map(({ replacedEntryIds }) => replacedEntryIds)).toEqual([
      ['m0'],
      ['m2', 'm3', 'm1', 'm4'],
      ['m6', 'm7', 'm5', 'm8'],
    ]);
  });

  it('does not rebuild the entries before a change', () => {
    let readings = 0;
    const counted = (id: string, created: number): MessageEntries => {
      const { entries, ...rest } = message(id, created, asked, text(id));
      const reading = () => {
        readings += 1;
        return entries;
      };
      return Object.defineProperty({ ...rest, entries }, 'entries', { get: reading });
    };
    const messages = new OrderedMessages();
    const names = Array.from({ length: 1000 }, (_, at) => `m${at}`);
    messages.take(names.map((id, at) => [id, counted(id, at)]));
    const before = messages.entries;
    readings = 0;
    messages.take([['m1000', counted('m1000', 1000)]]);
    messages.take([['m999', counted('m999', 999)]]);
    expect(readings).toBeLessThan(10);
    expect([before.length, messages.entries.length]).toEqual([1000, 1001]);
  });

  it('equals the same messages ordered at once', () => {
    const change = fc.record({ id: fc.nat(9), created: fc.nat(4), isGone: fc.boolean(), role: fc.nat(2) });
    fc.assert(
      fc.property(fc.array(fc.array(change, { maxLength: 4 }), { maxLength: 20 }), (looks) => {
        const messages = new OrderedMessages();
        const kept = new Map<string, MessageEntries>();
        for (const look of looks) {
          const changes = new Map<string, MessageEntries | null>();
          for (const { id, created, isGone, role } of look) {
            const data = { role: ['user', 'assistant', 'oracle'][role] };
            changes.set(`m${id}`, isGone ? null : message(`m${id}`, created, data, text('so')));
          }
          for (const [id, now] of changes) {
            if (now === null) kept.delete(id);
            else kept.set(id, now);
          }
          messages.take([...changes]);
        }
        const inOrder = [...kept.values()].sort((one, other) => compareMessages(one.message, other.message));
        expect(messages.all).toEqual(inOrder);
        expect(messages.entries).toEqual(inOrder.flatMap(({ entries }) => entries));
        const oracles = inOrder.filter(({ others }) => others.length > 0).length;
        expect(messages.otherRecords()).toEqual(oracles === 0 ? {} : { 'message/oracle': oracles });
      }),
    );
  });
});
