import type { ServerResponse } from 'node:http';
import type * as s from '../../../extension/platform/json/schemas';
import { answerChat } from '../../agents/server/chat';
import { sendEvent } from '../../agents/server/events';
import { answerGemini } from '../../agents/server/gemini';
import { answerMessages } from '../../agents/server/messages';
import { answerResponses } from '../../agents/server/responses';
import type { ScriptedReply } from '../../agents/server/script';
import { type Api, apiOf } from '../../agents/wire/read';
import { beginStream, json, startModelServer } from '../../builders/scripted-model-server';

/** The rules of an API, apart from the limit on the length of a request. */
export interface Strictness {
  faults(body: s.JsonRecord): string[];
  /**
   * Called with the answer to the previous request. The signature of its thinking is the thinking in Base64. `number`:
   * the number of the request.
   */
  answered?(reply: ScriptedReply, number: number): void;
}

export interface StrictServer {
  /** Without a path. */
  readonly address: string;
  /** The reason for each refused request. */
  readonly refused: readonly string[];
  /** The bodies of accepted requests, oldest first. */
  readonly accepted: readonly s.JsonRecord[];
  /** Tokens of each accepted request. */
  readonly sizes: readonly number[];
  close(): void;
}

export interface StrictSettings {
  readonly strictness: Strictness;
  /** Context window of the model in tokens. */
  readonly window: number;
  /** Number of replies with calls before a reply without calls. */
  readonly steps: number;
  /** Number of characters that count as one token. Default: 4. */
  readonly tokenLength?: number;
}

const answers = { chat: answerChat, responses: answerResponses, messages: answerMessages, gemini: answerGemini };

/**
 * A model that thinks, calls one tool in each of a number of replies, and then answers. It checks requests as its
 * provider does.
 */
export async function startStrictServer({
  strictness,
  window,
  steps,
  tokenLength = 4,
}: StrictSettings): Promise<StrictServer> {
  const refused: string[] = [];
  const accepted: s.JsonRecord[] = [];
  const sizes: number[] = [];
  const server = await startModelServer((response, asked) => {
    const api = apiOf(asked.path);
    if (api === null) return json(response, 404, { error: { message: 'There is no such path.' } });
    const tokens = tokensOf(asked.body, tokenLength);
    const faults = strictness.faults(asked.body);
    if (faults.length > 0 || tokens > window) {
      refused.push([...(tokens > window ? [tooLong[api](tokens, window)] : []), ...faults].slice(0, 3).join('; '));
      const message = tokens > window ? tooLong[api](tokens, window) : faults.join('; ');
      return refuse(response, api, message, asked.body.stream === true);
    }
    accepted.push(asked.body);
    sizes.push(tokens);
    const reply = replyTo(accepted.length, steps, tokens);
    strictness.answered?.(reply, accepted.length);
    answers[api](response, asked, reply, accepted.length);
  });
  const address = server.baseUrl.replace(/\/v1$/, '');
  return { address, refused, accepted, sizes, close: () => server.close() };
}

/** Tokens according to this server. */
function tokensOf(body: s.JsonRecord, tokenLength: number): number {
  return Math.ceil(JSON.stringify(body).length / tokenLength);
}

function replyTo(number: number, steps: number, tokens: number): ScriptedReply {
  const isAnswer = number % (steps + 1) === 0;
  const calls = isAnswer ? [] : pathsRead(number).map((path) => ({ name: 'read_file', input: { path } }));
  const usage = { input: tokens, output: 60, cacheRead: 0, cacheWrite: 0 };
  const text = isAnswer ? `Answer ${number}.` : `Step ${number}.`;
  return { purpose: 'turn', text, reasoning: `Thought ${number} about the work.`, calls, usage };
}

/** In each seventh reply, the model reads two files at once. */
function pathsRead(number: number): string[] {
  return number % 7 === 0 ? [`src/part-${number}.ts`, `test/part-${number}.ts`] : [`src/part-${number}.ts`];
}

/** The error message of each provider. */
const tooLong: Readonly<Record<Api, (tokens: number, window: number) => string>> = {
  messages: (tokens, window) => `prompt is too long: ${tokens} tokens > ${window} maximum`,
  chat: (tokens, window) =>
    `This model's maximum context length is ${window} tokens. However, your messages resulted in ${tokens} tokens. Please reduce the length of the messages.`,
  responses: () => 'Your input exceeds the context window of this model. Please adjust your input and try again.',
  gemini: (tokens, window) =>
    `The input token count (${tokens}) exceeds the maximum number of tokens allowed (${window}).`,
};

function refuse(response: ServerResponse, api: Api, message: string, streams: boolean): void {
  if (api === 'responses' && streams) failInStream(response, message);
  else if (api === 'messages')
    json(response, 400, { type: 'error', error: { type: 'invalid_request_error', message } });
  else if (api === 'gemini') json(response, 400, { error: { code: 400, message, status: 'INVALID_ARGUMENT' } });
  else {
    const code = /context/.test(message) ? 'context_length_exceeded' : null;
    json(response, 400, { error: { message, type: 'invalid_request_error', param: 'messages', code } });
  }
}

/** OpenAI reports a refused stream of responses after the stream began. */
function failInStream(response: ServerResponse, message: string): void {
  const error = { code: 'context_length_exceeded', message };
  beginStream(response);
  sendEvent(response, 'response.created', { response: { id: 'resp_refused', status: 'in_progress', output: [] } });
  sendEvent(response, 'response.in_progress', { response: { id: 'resp_refused', status: 'in_progress', output: [] } });
  sendEvent(response, 'response.failed', { response: { id: 'resp_refused', status: 'failed', error, output: [] } });
  response.end();
}
