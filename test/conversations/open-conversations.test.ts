import fc from 'fast-check';
import { expect, it } from 'vitest';
import { OpenConversations } from '../../extension/conversations/open-conversations';

class Conversation {
  bytes = 0;

  readonly refresh = () => Promise.resolve();

  constructor(readonly id: string) {}
}

const limits = { conversations: 5, bytes: 100 };

it('holds those that were used last, as many as there is room for, and always the newest', async () => {
  const uses = fc.array(fc.record({ id: fc.constantFrom(...'abcdefghij'), grows: fc.nat({ max: 60 }) }));
  await fc.assert(
    fc.asyncProperty(uses, async (all) => {
      const open = new OpenConversations<Conversation>(() => undefined, limits);
      let expected: Conversation[] = [];
      for (const { id, grows } of all) {
        const used = await open.open(id, async () => new Conversation(id));
        expected = [...expected.filter((one) => one.id !== id), used];
        const fits = () => expected.length <= 5 && expected.reduce((sum, { bytes }) => sum + bytes, 0) <= 100;
        while (expected.length > 1 && !fits()) expected.shift();
        expect(open.all).toEqual(expected);
        used.bytes += grows;
      }
    }),
  );
});

it('closes the oldest ones if many grew at the same time, each after its only use', async () => {
  const open = new OpenConversations<Conversation>(() => undefined, { conversations: 1_000, bytes: 1_000 });
  for (let group = 0; group < 50; group += 1) {
    const used = await Promise.all(
      Array.from({ length: 10 }, (_, at) => `${group}-${at}`).map((id) =>
        open.open(id, async () => new Conversation(id)),
      ),
    );
    for (const conversation of used) conversation.bytes = 50;
  }
  expect(open.all.length).toBeLessThan(100);
});
