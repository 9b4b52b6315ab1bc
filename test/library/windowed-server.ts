import type { ServerResponse } from 'node:http';
import { countWithO200k } from '../../extension/engine/conversation/tokenizer';
import { answerChat } from '../agents/server/chat';
import { answerMessages } from '../agents/server/messages';
import { answerResponses } from '../agents/server/responses';
import type { ScriptedCall, ScriptedReply } from '../agents/server/script';
import { type Api, apiOf, readers } from '../agents/wire/read';
import type { WireRequest } from '../agents/wire/utterance';
import { type Asked, json, startModelServer } from '../builders/scripted-model-server';

/** A received request, and whether it was too long. */
export interface Arrived {
  readonly body: Asked['body'];
  readonly headers: Asked['headers'];
  readonly request: WireRequest;
  readonly isTooLong: boolean;
}

export interface WindowedServer {
  /** Without a path. */
  readonly address: string;
  readonly arrived: readonly Arrived[];
  close(): void;
}

const answers = { chat: answerChat, responses: answerResponses, messages: answerMessages };

/** The model's answer to a request for a summary; the number counts those requests. Null: it continues its work. */
export type Summarizes = (request: WireRequest, number: number) => string | null;

/**
 * A model with exactly this window. It reports this many tokens as read from a cache. It answers a message of a person
 * with two parallel calls, and results with text.
 */
export async function startWindowedServer(
  window: number,
  summarizes: Summarizes = () => null,
  cacheRead = 500,
): Promise<WindowedServer> {
  const arrived: Arrived[] = [];
  let asked = 0;
  const summary = (request: WireRequest): ScriptedReply | null => {
    if (!asksForBlock(request)) return null;
    asked += 1;
    const text = summarizes(request, asked);
    const usage = { input: 10, output: 20, cacheRead: 1500, cacheWrite: 0 };
    return text === null ? null : { purpose: 'summary', text, reasoning: '', calls: [], usage };
  };
  const server = await startModelServer((response, asked) => {
    const api = apiOf(asked.path);
    if (api === null || api === 'gemini') return json(response, 404, { error: { message: 'There is no such path.' } });
    const request = readers[api](asked.body);
    const isTooLong = tokensOf(request) > window;
    arrived.push({ body: asked.body, headers: asked.headers, request, isTooLong });
    if (isTooLong) refuse(response, api);
    else answers[api](response, asked, summary(request) ?? replyTo(request, arrived.length, cacheRead), arrived.length);
  });
  return { address: server.baseUrl.replace(/\/v1$/, ''), arrived, close: () => server.close() };
}

/** Whether the last message is Strata's request for a block. */
export function asksForBlock({ said }: Pick<WireRequest, 'said'>): boolean {
  const last = said.at(-1);
  return last?.kind === 'text' && /Now write the (?:summary|updated memory)/.test(last.text);
}

/** Calls without a result and results without a call, by the call. */
export function orphans({ said }: WireRequest): string[] {
  const calls = said.flatMap((one) => (one.kind === 'call' ? one.callId : []));
  const results = said.flatMap((one) => (one.kind === 'result' ? one.callId : []));
  return [...calls.filter((id) => !results.includes(id)), ...results.filter((id) => !calls.includes(id))];
}

function tokensOf({ system, said, tools }: WireRequest): number {
  const texts = said.map((one) => (one.kind === 'call' ? JSON.stringify([one.name, one.input]) : one.text));
  return [system, tools.join(' '), ...texts].reduce((total, text) => total + countWithO200k(text), 0);
}

function refuse(response: ServerResponse, api: Api): void {
  const message = 'The context is too long.';
  const error =
    api === 'messages' ? { type: 'invalid_request_error', message } : { message, code: 'context_length_exceeded' };
  json(response, 400, { type: 'error', error });
}

function replyTo({ said }: WireRequest, number: number, cacheRead: number): ScriptedReply {
  const calls = said.at(-1)?.kind === 'result' ? [] : [reading(`a${number}.ts`), reading(`b${number}.ts`)];
  const usage = { input: 1000 + number, output: 20, cacheRead, cacheWrite: 0 };
  return { purpose: 'turn', text: `Answer ${number}.`, reasoning: `Thought ${number}.`, calls, usage };
}

function reading(path: string): ScriptedCall {
  return { name: 'read_file', input: { path } };
}
