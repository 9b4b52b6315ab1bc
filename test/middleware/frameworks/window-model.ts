import { countWithO200k } from '../../../extension/engine/conversation/tokenizer';
import {
  callChunks,
  finishChunk,
  repliesAtOnce,
  type ScriptedCall,
  type ScriptedReply,
  streams,
  textChunk,
} from '../../builders/scripted-chat';
import { type Asked, type Behaviour, json } from '../../builders/scripted-model-server';

type Fields = Readonly<Record<string, unknown>>;

/**
 * The calls of a reply; if there are none, the model answers. `rounds` counts the replies with calls since the person's
 * message.
 */
export type CallScript = (turn: {
  readonly said: string;
  readonly rounds: number;
  readonly number: number;
}) => ScriptedCall[];

/** Makes two parallel calls, then answers. */
export const readsTwoNotes: CallScript = ({ rounds, number }) =>
  rounds > 0
    ? []
    : ['a', 'b'].map((letter) => ({
        id: `call-${number}-${letter}`,
        name: 'read_note',
        arguments: JSON.stringify({ name: `note-${number}-${letter}` }),
      }));

/**
 * A model with a window behind OpenAI's Chat Completions. It refuses what the real endpoint refuses, with the same
 * errors: requests over the window, results without a call, calls without a result. It reports the usage that it
 * counted.
 */
export function modelWithWindow(window: number, script: CallScript): Behaviour {
  let number = 0;
  return (response, asked) => {
    number += 1;
    const tokens = tokensOf(asked.body);
    const refusal = refusalOf(asked.body, tokens, window);
    if (refusal !== null) return json(response, 400, { error: { type: 'invalid_request_error', ...refusal } });
    const { said, rounds } = turnOf(asked.body);
    const calls = script({ said, rounds, number });
    const usage = { prompt_tokens: tokens, completion_tokens: 40 };
    const reply = calls.length > 0 ? { text: 'I look.', calls, usage } : { text: answerTo(said, number), usage };
    return (asked.body.stream === true ? streamed(reply) : repliesAtOnce(reply))(response, asked);
  };
}

/** A stream as the endpoint sends it: the role comes first. */
function streamed({ text = '', calls = [], usage }: ScriptedReply): Behaviour {
  return streams(
    { choices: [{ index: 0, delta: { role: 'assistant', content: '' } }] },
    ...(text.match(/[\s\S]{1,40}/g) ?? []).map(textChunk),
    ...calls.flatMap(callChunks),
    finishChunk(calls.length > 0 ? 'tool_calls' : 'stop'),
    { choices: [], usage },
  );
}

function answerTo(said: string, number: number): string {
  return `Answer ${number} to "${said.slice(0, 60)}": the note says that module-${number}.ts holds the parser.`;
}

export function tokensOf({ messages, tools }: Asked['body']): number {
  return countWithO200k(JSON.stringify(messages)) + (tools === undefined ? 0 : countWithO200k(JSON.stringify(tools)));
}

function refusalOf({ messages }: Asked['body'], tokens: number, window: number): Fields | null {
  if (tokens > window) {
    const message = `This model's maximum context length is ${window} tokens. However, your messages resulted in ${tokens} tokens. Please reduce the length of the messages.`;
    return { message, param: 'messages', code: 'context_length_exceeded' };
  }
  const orphan = orphanIn(messagesOf(messages));
  return orphan === null ? null : { message: orphan, param: 'messages', code: null };
}

export function messagesOf(messages: unknown): Fields[] {
  return Array.isArray(messages) ? messages : [];
}

/** The endpoint's error message; null if every call has its result and every result its call. */
export function orphanIn(messages: readonly Fields[]): string | null {
  const open = new Set<unknown>();
  for (const { role, tool_calls: calls, tool_call_id: id } of messages) {
    if (role === 'tool' && !open.delete(id))
      return "Invalid parameter: messages with role 'tool' must be a response to a preceding message with 'tool_calls'.";
    if (role !== 'tool' && open.size > 0) break;
    for (const call of messagesOf(calls)) open.add(call.id);
  }
  if (open.size === 0) return null;
  return `An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id': ${[...open].join(', ')}`;
}

function turnOf({ messages }: Asked['body']) {
  const all = messagesOf(messages);
  const at = all.findLastIndex(({ role }) => role === 'user');
  const rounds = all.slice(at + 1).filter(({ tool_calls: calls }) => Array.isArray(calls)).length;
  return { said: textIn(all[at]?.content), rounds };
}

export function textIn(content: unknown): string {
  if (typeof content === 'string') return content;
  return messagesOf(content)
    .map(({ text }) => (typeof text === 'string' ? text : ''))
    .join('');
}

export const constraint = 'Never change the public signature of loadConfig().';

/** The person's prompt of each turn. */
export function question(turn: number): string {
  return `Turn ${turn}: which module holds the parser, and what did we decide about file-${turn}.ts?`;
}

/** The output of `read_note`. */
export function note(name: string): string {
  const lines = Array.from(
    { length: 24 },
    (_, line) => `${name}, line ${line}: src/${name}.ts exports parse${line}().`,
  );
  return lines.join('\n');
}
