import fc from 'fast-check';
import type { Conversation } from '../../../extension/engine/conversation/conversation';
import type { ReceivedMessage, ReceivedPart } from '../../../extension/middleware/recognition/received';
import {
  type ReceivedConversation,
  receivedConversation,
} from '../../../extension/middleware/recognition/received-entries';
import { PairedContext } from '../../../extension/sessions/records/paired-context';
import { long } from '../../builders/conversation';

/** Requests as clients of VS Code make them: `[says('hi'), replies('Hello.'), says('fix it')]`. */

export const time = '2026-01-01T00:00:00.000Z';

export function says(text: string): ReceivedMessage {
  return { role: 'user', parts: [{ type: 'text', text }] };
}

export function replies(text: string, ...calls: string[]): ReceivedMessage {
  const parts = calls.map((callId) => ({ type: 'tool_call', callId, name: 'read', input: { path: callId } }) as const);
  return { role: 'assistant', parts: [...(text === '' ? [] : [{ type: 'text', text } as const]), ...parts] };
}

export function returns(...results: [callId: string, text: string][]): ReceivedMessage {
  return { role: 'user', parts: results.map(([callId, text]) => result(callId, text)) };
}

export function result(callId: string, text: string, picture?: string): ReceivedPart {
  const images = picture === undefined ? [] : [{ type: 'image', mediaType: 'image/png', data: picture } as const];
  return { type: 'tool_result', callId, name: null, text, isError: false, images };
}

export function prompt(text: string): ReceivedMessage {
  return { role: 'system', parts: [{ type: 'text', text }] };
}

export function received(...messages: ReceivedMessage[]): ReceivedConversation {
  return receivedConversation(messages, time);
}

export function idsOf(messages: readonly ReceivedMessage[]): string[] {
  return receivedConversation(messages, time).entries.map(({ id }) => id);
}

/** The conversation as it would be read from its file, where each call has one result. */
export function asPairedConversation({ entries }: ReceivedConversation): Conversation {
  const placed = asConversation({ entries }).entries;
  const paired = new PairedContext('No result.');
  for (const entry of placed) {
    if (entry.role === 'assistant') paired.reply(entry);
    else if (entry.role === 'tool') paired.result(entry);
    else paired.text(entry);
  }
  return { entries: placed, agentContext: paired.end(), agentCompactions: [] };
}

/** The conversation as it would be read from its file. */
export function asConversation({ entries }: Pick<ReceivedConversation, 'entries'>): Conversation {
  const placed = entries.map((entry, index) => ({ ...entry, origin: { file: 'session.jsonl', line: index + 1 } }));
  return { entries: placed, agentContext: placed, agentCompactions: [] };
}

const words = fc.constantFrom('Fix the loader.', 'Why does parseIni() drop keys?', 'Never rename loadConfig().', 'ok');
const output = fc.constantFrom('ok', 'ENOENT: no such file', long('Lines of a file.', 12));

const step = fc.record({
  text: fc.constantFrom('', 'I look.'),
  outputs: fc.array(output, { minLength: 1, maxLength: 3 }),
  apart: fc.boolean(),
  picture: fc.boolean(),
  /** The client adds a reminder to the message with the results. */
  beside: fc.boolean(),
  /** The message contains only thinking. */
  thought: fc.boolean(),
});

const turn = fc.record({
  asked: words,
  /** Texts that the client adds around the prompt. */
  around: fc.constantFrom('nothing', 'rules', 'rules in one text', 'a reminder', 'both'),
  steps: fc.array(step, { maxLength: 3 }),
  answer: words,
  isLong: fc.boolean(),
});

type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;
type Turn = typeof turn extends fc.Arbitrary<infer T> ? T : never;

function stepMessages(name: string, { text, outputs, apart, picture, beside, thought }: Step): ReceivedMessage[] {
  const ids = outputs.map((_, index) => `${name}-${index}`);
  const results = outputs.map((said, index) => result(`${name}-${index}`, said, picture ? 'AAAA' : undefined));
  const reminder: ReceivedPart[] = beside ? [{ type: 'text', text: 'The time is noon.' }] : [];
  const last: ReceivedMessage = { role: 'user', parts: [...(apart ? results.slice(-1) : results), ...reminder] };
  return [
    replies(text, ...ids),
    ...(apart ? results.slice(0, -1).map((part): ReceivedMessage => ({ role: 'user', parts: [part] })) : []),
    last,
    ...(thought ? [{ role: 'assistant', parts: [{ type: 'reasoning', text: 'Hm.' }] } as const] : []),
  ];
}

/** Standing instructions as clients send them. */
export const rules = '<system-reminder>\nContents of /work/CLAUDE.md:\n\nNever push.\n</system-reminder>';

const reminder = '<system-reminder>\nThe task tools haven’t been used recently.\n</system-reminder>';

function asks(text: string, around: Turn['around']): ReceivedMessage {
  const before = around === 'rules' || around === 'both' ? [rules] : [];
  const after = around === 'a reminder' || around === 'both' ? [reminder] : [];
  const texts = [...before, around === 'rules in one text' ? `${rules}\n${text}` : text, ...after];
  return { role: 'user', parts: texts.map((each) => ({ type: 'text', text: each })) };
}

function turnMessages({ asked, around, steps, answer, isLong }: Turn, at: number): ReceivedMessage[] {
  return [
    asks(`${asked} (${at})`, around),
    ...steps.flatMap((each, index) => stepMessages(`t${at}-${index}`, each)),
    replies(isLong ? long(answer) : answer),
  ];
}

/** A whole history of requests, from the system prompt to the newest answer. */
export const histories: fc.Arbitrary<ReceivedMessage[]> = fc
  .tuple(fc.boolean(), fc.array(turn, { minLength: 1, maxLength: 14 }))
  .map(([system, turns]) => [...(system ? [prompt('Be brief.')] : []), ...turns.flatMap(turnMessages)]);

/** Random histories of a client that gives its calls the same few ids, or none. */
export const careless: fc.Arbitrary<ReceivedMessage[]> = fc
  .tuple(histories, fc.constantFrom([''], ['a'], ['', 'a'], ['a', 'b', '']))
  .map(([messages, ids]) =>
    messages.map(({ role, parts }) => ({ role, parts: parts.map((part) => renamed(part, ids)) })),
  );

function renamed(part: ReceivedPart, ids: readonly string[]): ReceivedPart {
  if (part.type !== 'tool_call' && part.type !== 'tool_result') return part;
  const index = Number(part.callId.split('-').at(-1));
  return { ...part, callId: ids[index % ids.length] ?? '' };
}
