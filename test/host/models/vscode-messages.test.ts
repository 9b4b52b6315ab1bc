import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import type { ContextMessage } from '../../../extension/engine/conversation/context';
import { type Part, toolCalls, toolResults } from '../../../extension/engine/conversation/entry';
import { contextAsVscode } from '../../../extension/host/models/vscode-messages';
import { conversations } from '../../builders/arbitrary';
import { assistant, call, calls, result, type Said, system, talk, user } from '../../builders/conversation';
import { compact, contextOf } from '../../builders/run';
import { CallPart, DataPart, Message, ResultPart, setChatApi, TextPart } from './chat-api';

vi.mock('vscode', async () => (await import('./chat-api')).editorApi);

function converted(messages: readonly ContextMessage[], api: Parameters<typeof setChatApi>[0] = {}): Message[] {
  setChatApi(api);
  return contextAsVscode(messages) as unknown as Message[];
}

function asMessages(...said: Said[]): Message[] {
  return converted(contextOf(talk(...said)).messages);
}

function withParts(said: Said, ...parts: Part[]): Said {
  return { ...said, parts: [...said.parts, ...parts] };
}

const asUser = (...parts: (TextPart | ResultPart | DataPart)[]) => Message.User(parts);
const asAssistant = (...parts: (TextPart | CallPart)[]) => Message.Assistant(parts);
const text = (value: string) => new TextPart(value);
const resultPart = (callId: string, ...content: unknown[]) => new ResultPart(callId, content);
const picture = { type: 'image', mediaType: 'image/png', data: 'AQID' } as const;
const pixels = new DataPart(new Uint8Array([1, 2, 3]), 'image/png');

describe('a context as messages of VS Code', () => {
  it('a context as messages of VS Code has user and assistant messages only, one per message', () => {
    expect(
      asMessages(system('Be brief.'), user('One.'), user('Two.'), assistant('Three.'), assistant('Four.')),
    ).toEqual([
      asUser(text('Be brief.')),
      asUser(text('One.')),
      asUser(text('Two.')),
      asAssistant(text('Three.')),
      asAssistant(text('Four.')),
    ]);
  });

  it('a context as messages of VS Code has the results of one reply in one message after it, before any prompt sent meanwhile', () => {
    expect(
      asMessages(
        user('look'),
        calls('a', 'b'),
        user('Wait.'),
        result('a', 'one'),
        result('b', 'two'),
        assistant('Ok.'),
      ),
    ).toEqual([
      asUser(text('look')),
      asAssistant(new CallPart('a', 'read', {}), new CallPart('b', 'read', {})),
      asUser(resultPart('a', text('one')), resultPart('b', text('two'))),
      asUser(text('Wait.')),
      asAssistant(text('Ok.')),
    ]);
  });

  it('a context as messages of VS Code has the results of two replies in separate messages', () => {
    const roles = asMessages(calls('a'), result('a'), calls('b'), result('b')).map(({ role }) => role);
    expect(roles).toEqual(['assistant', 'user', 'assistant', 'user']);
  });

  it('leaves out reasoning and empty messages', () => {
    const thought = { type: 'reasoning', text: 'Hm.' } as const;
    expect(asMessages(user('look'), withParts(assistant(''), thought), withParts(assistant('Ok.'), thought))).toEqual([
      asUser(text('look')),
      asAssistant(text('Ok.')),
    ]);
  });

  it('a context as messages of VS Code has images in place: after a prompt’s text, and inside a result', () => {
    const shown = withParts(user('What is this?'), picture);
    const seen = withParts(result('a', 'a picture'), picture);
    expect(asMessages(shown, calls('a', 'b'), seen, result('b', 'none'))).toEqual([
      asUser(text('What is this?'), pixels),
      asAssistant(new CallPart('a', 'read', {}), new CallPart('b', 'read', {})),
      asUser(resultPart('a', text('a picture'), pixels), resultPart('b', text('none'))),
    ]);
  });

  it('describes an image that cannot be sent', () => {
    const { messages } = contextOf(talk(withParts(user(''), picture, { ...picture, data: null })));
    expect(converted(messages, { LanguageModelDataPart: undefined })).toEqual([
      asUser(
        text('[image/png that this editor cannot pass on]'),
        text('[image/png that the session file does not hold]'),
      ),
    ]);
  });

  it.each([
    [{ path: 'a' }, { path: 'a' }],
    ['{"path": ', { input: '{"path": ' }],
    [[1], { input: [1] }],
    [0, { input: 0 }],
    [null, {}],
  ])('converts the input %j to the object %j', (input, given) => {
    expect(asMessages(call('a', 'read', input))).toEqual([asAssistant(new CallPart('a', 'read', given))]);
  });
});

function speaks(part: Part): boolean {
  return part.type === 'text' && part.text.trim() !== '';
}

function textsIn(messages: readonly ContextMessage[]): string[] {
  const parts = messages.flatMap((message) => message.parts);
  const said = parts.filter(speaks).map((part) => (part.type === 'text' ? part.text : ''));
  const given = toolCalls(parts).map(({ callId, name, input }) => JSON.stringify([callId, name, input]));
  return [...said, ...given, ...toolResults(parts).map(({ callId, text }) => `${callId}: ${text}`)].sort();
}

function textsSent(messages: readonly Message[]): string[] {
  return messages
    .flatMap(({ content }) => content)
    .flatMap((part) => {
      if (part instanceof TextPart) return [part.value];
      if (part instanceof CallPart) return [JSON.stringify([part.callId, part.name, part.input])];
      return part instanceof ResultPart ? [`${part.callId}: ${(part.content[0] as TextPart).value}`] : [];
    })
    .filter((sent) => !sent.endsWith('that the session file does not hold]'))
    .sort();
}

describe('any context, compacted or not, as messages of VS Code', () => {
  const rule = (holds: (context: readonly ContextMessage[]) => void) =>
    fc.assert(
      fc.asyncProperty(conversations, async (conversation) => {
        const { before, after } = await compact(conversation);
        for (const { messages } of [before, after]) holds(messages);
      }),
      { numRuns: 100 },
    );

  it('has every result directly after its call, in one message per reply', () =>
    rule((context) => {
      let open: string[] = [];
      for (const { role, content } of converted(context)) {
        const results = content.filter((part) => part instanceof ResultPart).map(({ callId }) => callId);
        expect(role === 'assistant' ? [] : results.toSorted()).toEqual(results.length > 0 ? open.toSorted() : []);
        open = content.filter((part) => part instanceof CallPart).map(({ callId }) => callId);
      }
    }));

  it('has all its texts, calls and results once', () =>
    rule((context) => expect(textsSent(converted(context))).toEqual(textsIn(context))));

  it('has no empty message', () =>
    rule((context) => {
      for (const { content } of converted(context)) expect(content.length).toBeGreaterThan(0);
    }));
});
