import { setTimeout as delay } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { ReplyWriter } from '../../../extension/conversations/requests/reply-writer';
import type { ConversationRecord } from '../../../extension/sessions/strata/records';

/** Tests of a reply that is written while it streams. */

type Place = ConstructorParameters<typeof ReplyWriter>[0];

function slowDisk(milliseconds: number) {
  const written: ConversationRecord[][] = [];
  const append = async (records: readonly ConversationRecord[]) => {
    await delay(milliseconds);
    written.push([...records]);
  };
  const conversation = { append } as unknown as Awaited<ReturnType<Place['conversation']>>;
  return { written, place: { conversation: async () => conversation, parent: null, sentTokens: 0 } };
}

it('keeps every word in its order, however slow the disk is', async () => {
  const { written, place } = slowDisk(600);
  const writer = new ReplyWriter(place, 'r', (error) => expect.unreachable(String(error)));
  for (let at = 0; at < 12; at += 1) {
    writer.add({ type: at % 4 === 0 ? 'reasoning' : 'text', text: `${at} ` });
    await delay(100);
  }
  await delay(1500);
  await writer.stop();
  const pieces = written.flat().map((record) => (record.type === 'piece' ? record.part.text : ''));
  expect(pieces.join('')).toBe('0 1 2 3 4 5 6 7 8 9 10 11 ');
  expect(written.length).toBeLessThan(5);
});

it('waits at its end only for the write that is in progress', async () => {
  const { written, place } = slowDisk(400);
  const writer = new ReplyWriter(place, 'r', (error) => expect.unreachable(String(error)));
  for (let at = 0; at < 10; at += 1) {
    writer.add({ type: 'text', text: `${at} ` });
    await delay(100);
  }
  const before = written.length;
  await writer.stop();
  expect(written.length - before).toBeLessThanOrEqual(1);
});
