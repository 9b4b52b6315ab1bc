import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compactMessages, createConversations, type Message } from '../../extension/library';
import { long } from '../builders/conversation';

const countTokens = (text: string) => Math.ceil(text.length / 4);

const quiet = { countTokens, onNotice: () => undefined };

function call(callId: string) {
  return { type: 'tool_call', callId, name: 'read', input: { path: `${callId}.ts` } } as const;
}

function result(callId: string, text: string) {
  return { type: 'tool_result', callId, name: 'read', text, isError: false } as const;
}

const picture = { type: 'image', mediaType: 'image/png', data: 'iVBORw0KGgo=' } as const;

/** A turn with two parallel calls, whose results are in one message or in two. */
function turn(at: number, isTogether: boolean, words: number): Message[] {
  const [one, two] = [result(`a${at}`, long(`Part ${at}.`, words)), result(`b${at}`, long(`Test ${at}.`, words))];
  const results: Message[] = isTogether
    ? [{ role: 'tool', content: [one, picture, two] }]
    : [
        { role: 'tool', content: [one, picture] },
        { role: 'tool', content: [two] },
      ];
  return [
    { role: 'user', content: `Please look at part ${at}.` },
    { role: 'assistant', content: [{ type: 'reasoning', text: 'Both.' }, call(`a${at}`), call(`b${at}`)] },
    ...results,
    { role: 'assistant', content: `Part ${at} is fine.` },
  ];
}

function idsOf(messages: readonly Message[], type: 'tool_call' | 'tool_result'): string[] {
  const parts = messages.flatMap(({ content }) => (typeof content === 'string' ? [] : content));
  return parts.flatMap((part) => (part.type === type ? [part.callId] : []));
}

describe('an array of messages', () => {
  it('passes unchanged if nothing was compacted or pinned', async () => {
    const conversations = await createConversations({ window: 200_000, ...quiet });
    const history: Message[] = [{ role: 'system', content: 'Be brief.' }, ...turn(0, true, 4), ...turn(1, false, 4)];
    const { messages } = await compactMessages(conversations, history);
    expect(messages).toHaveLength(history.length);
    for (const [index, message] of messages.entries()) expect(message).toBe(history[index]);
  });

  it('records the reply of the model, and recognizes it when it comes back', async () => {
    const conversations = await createConversations({ window: 200_000, ...quiet });
    const history: Message[] = [{ role: 'user', content: 'Hello.' }];
    const { answered } = await compactMessages(conversations, history);
    const reply: Message = { role: 'assistant', content: 'Good day.' };
    await answered(reply, { input: 7, output: 3, cacheRead: 0, cacheWrite: 0 });
    await compactMessages(conversations, [...history, reply, { role: 'user', content: 'Go on.' }]);
    const entries = conversations.newest?.entries ?? [];
    expect(entries.map(({ role }) => role)).toEqual(['user', 'assistant', 'user']);
    expect(entries[1]?.usage?.output).toBe(3);
  });

  it('never has a call without its result or a result without its call, and unchanged messages stay the same objects', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.boolean(), fc.integer({ min: 1, max: 60 })), { minLength: 8, maxLength: 30 }),
        fc.constantFrom('pipeline', 'checkpoint', 'tool-calls', 'prune', 'codex'),
        async (turns, strategy) => {
          const window = 6_000;
          const conversations = await createConversations({ window, strategy, ...quiet });
          const history: Message[] = [{ role: 'system', content: 'Be brief.' }];
          for (const [at, [isTogether, words]] of turns.entries()) {
            history.push(...turn(at, isTogether, words));
            const { messages, failed } = await compactMessages(conversations, history);
            await failed();
            expect(idsOf(messages, 'tool_result').sort()).toEqual(idsOf(messages, 'tool_call').sort());
            expect(messages[0]).toBe(history[0]);
            const live = turn(at, isTogether, words).length;
            expect(messages).toContain(history.at(-live));
            expect(messages.at(-1)).toBe(history.at(-1));
          }
        },
      ),
      { numRuns: 15 },
    );
  }, 120_000);
});
