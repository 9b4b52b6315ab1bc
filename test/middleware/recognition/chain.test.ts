import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ReceivedMessage } from '../../../extension/middleware/recognition/received';
import { newTurnBeginsAt } from '../../../extension/middleware/recognition/received-entries';
import { histories, idsOf, prompt, received, replies, result, returns, says } from './received';

describe('the ids of a request’s messages', () => {
  it('the ids of a request’s messages are those of any longer request that begins with the same messages', () =>
    fc.assert(
      fc.property(histories, fc.nat(), (messages, cut) => {
        const beginning = messages.slice(0, cut % (messages.length + 1));
        const ids = idsOf(structuredClone(messages));
        expect(ids.slice(0, idsOf(beginning).length)).toEqual(idsOf(beginning));
        expect(new Set(ids).size).toBe(ids.length);
        for (const id of ids) expect(id).toMatch(/^[0-9a-f]{32}(:\d+)?$/);
      }),
      { numRuns: 60 },
    ));

  it('the ids of a request’s messages differ from an altered message on, and not before it', () =>
    fc.assert(
      fc.property(histories, fc.nat(), (messages, chosen) => {
        const speaking = messages.flatMap((message, index) => (counted(message) ? [index] : []));
        const at = speaking[chosen % speaking.length] ?? 0;
        const altered = messages.map((message, index) => (index === at ? changed(message) : message));
        const idsIn = (all: readonly ReceivedMessage[]) =>
          received(...all).messages.map(({ entries }) => entries.map(({ id }) => id));
        const [before, after] = [idsIn(messages), idsIn(altered)];
        expect(after.slice(0, at)).toEqual(before.slice(0, at));
        const ids = new Set(before.flat());
        for (const id of after.slice(at).flat()) expect(ids).not.toContain(id);
      }),
      { numRuns: 60 },
    ));

  it('the ids of a request’s messages do not depend on how the client cuts texts, orders properties, thinks or marks its cache', () => {
    const call = { type: 'tool_call', callId: 'a', name: 'edit' } as const;
    const once: ReceivedMessage = {
      role: 'assistant',
      parts: [
        { type: 'text', text: 'I edit.' },
        { ...call, input: { path: 'a.ts', lines: { from: 1, to: 2 } } },
      ],
    };
    const again: ReceivedMessage = {
      role: 'assistant',
      parts: [
        { type: 'reasoning', text: 'Let me see.' },
        { type: 'text', text: 'I ' },
        { type: 'text', text: 'edit.' },
        { type: 'text', text: '' },
        { ...call, input: { lines: { to: 2, from: 1 }, path: 'a.ts' } },
      ],
    };
    expect(idsOf([says('go'), again])).toEqual(idsOf([says('go'), once]));
    expect(idsOf([says('go'), { role: 'assistant', parts: [{ type: 'reasoning', text: 'Hm.' }] }, once])).toEqual(
      idsOf([says('go'), once]),
    );
  });

  it('depend on every picture, on results, and on who speaks', () => {
    const ids = [
      [says('look')],
      [replies('look')],
      [{ role: 'user', parts: [result('a', 'seen')] } as const],
      [{ role: 'user', parts: [result('a', 'seen', 'AAAA')] } as const],
      [{ role: 'user', parts: [result('a', 'seen', 'AAAB')] } as const],
      [{ role: 'user', parts: [result('b', 'seen')] } as const],
    ].map((messages) => idsOf(messages)[0]);
    expect(new Set(ids).size).toBe(6);
  });

  it('the ids of a request’s messages leave out the system prompts at the beginning, which change with every request', () => {
    expect(idsOf([prompt('It is noon.'), says('go')])).toEqual(idsOf([prompt('It is one.'), prompt('!'), says('go')]));
    expect(idsOf([says('go'), prompt('It is noon.')])).not.toEqual(idsOf([says('go'), prompt('It is one.')]));
  });

  it('the ids of a request’s messages name each result of one message, and the content beside them', () => {
    const message = returns(['a', 'one'], ['b', 'two']);
    const { entries } = received(says('go'), replies('', 'a', 'b'), {
      ...message,
      parts: [...message.parts, { type: 'text', text: 'The time is noon.' }],
    });
    const link = entries[2]?.id.slice(0, -2);
    expect(entries.slice(2).map(({ id, role, injected }) => [id, role, injected])).toEqual([
      [`${link}:0`, 'tool', undefined],
      [`${link}:1`, 'tool', undefined],
      [`${link}:2`, 'user', true],
    ]);
  });
});

describe('a new turn', () => {
  it('begins with everything that the person said since the last reply', () => {
    expect(newTurnBeginsAt(received(says('one'), says('two')))).toBe(0);
    expect(newTurnBeginsAt(received(says('one'), replies('yes'), says('two'), says('three')))).toBe(2);
  });

  it('a new turn has not begun while the model waits for results or has just answered', () => {
    expect(newTurnBeginsAt(received(says('one'), replies('', 'a'), returns(['a', 'text'])))).toBeNull();
    expect(newTurnBeginsAt(received(says('one'), replies('done')))).toBeNull();
    expect(newTurnBeginsAt(received())).toBeNull();
  });
});

function counted({ role, parts }: ReceivedMessage): boolean {
  return role !== 'system' && parts.some(({ type }) => type !== 'reasoning');
}

/** The smallest change: one more letter in the first part that has text. */
function changed(message: ReceivedMessage): ReceivedMessage {
  const [first, ...rest] = message.parts;
  if (first?.type === 'tool_call') return { ...message, parts: [{ ...first, input: { path: 'other.ts' } }, ...rest] };
  if (first?.type === 'tool_result' || first?.type === 'text') {
    return { ...message, parts: [{ ...first, text: `${first.text}x` }, ...rest] };
  }
  throw new Error(`There is nothing to change in a part of the kind ${first?.type}`);
}
