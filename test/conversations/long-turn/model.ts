import type { ServerResponse } from 'node:http';
import { countWithO200k } from '../../../extension/engine/conversation/tokenizer';
import { answerChat } from '../../agents/server/chat';
import { answerMessages } from '../../agents/server/messages';
import { answerResponses } from '../../agents/server/responses';
import type { ScriptedReply } from '../../agents/server/script';
import { type Api, apiOf, readers } from '../../agents/wire/read';
import type { WireRequest } from '../../agents/wire/utterance';
import { type Asked, json, startModelServer } from '../../builders/scripted-model-server';
import { constraint } from '../../middleware/frameworks/window-model';

/** One prompt, and a model with a small window that calls a tool this many times before it answers. */

export const window = 16_000;

export const prompt =
  'Port every part of the parser to the new interface, one after the other, and keep the tests as they are.';

export const systemPrompt = 'You are a careful engineer.';

export const toolName = 'read_part';

/** The output of the tool: about 450 tokens, different each time. */
export function partText(part: string): string {
  const lines = Array.from(
    { length: 24 },
    (_, line) => `${part}, line ${line}: src/${part}.ts exports parse${line}().`,
  );
  return lines.join('\n');
}

/** The answer to a request. */
export interface Taken {
  readonly tokens: number;
  readonly isRefused: boolean;
  /** Whether this is a framework's own request for a summary, which has no tools. */
  readonly isSummary: boolean;
  readonly hasPrompt: boolean;
  readonly hasPin: boolean;
}

/** The model itself, independent of the API of its requests. */
export class LongTurnModel {
  readonly taken: Taken[] = [];
  #called = 0;

  constructor(readonly steps: number) {}

  /** Number of calls, each made after a request that fitted. */
  get called(): number {
    return this.#called;
  }

  get hasAnswered(): boolean {
    return this.#hasAnswered;
  }

  #hasAnswered = false;

  /** Null if the request is too long. `definitions` are the tools as they were sent. */
  take(request: WireRequest, definitions: string): ScriptedReply | null {
    const tokens = tokensOf(request) + countWithO200k(definitions);
    const isSummary = request.tools.length === 0;
    const isRefused = tokens > window;
    const text = JSON.stringify([request.system, request.said.map((one) => (one.kind === 'text' ? one.text : ''))]);
    this.taken.push({
      tokens,
      isRefused,
      isSummary,
      hasPrompt: text.includes(prompt),
      hasPin: text.includes(constraint),
    });
    if (isRefused) return null;
    const usage = { input: tokens, output: 40, cacheRead: 0, cacheWrite: 0 };
    if (isSummary) return { purpose: 'summary', text: 'Some parts were read.', reasoning: '', calls: [], usage };
    if (this.#called === this.steps) {
      this.#hasAnswered = true;
      return { purpose: 'turn', text: 'All parts are ported.', reasoning: '', calls: [], usage };
    }
    this.#called += 1;
    const call = { name: toolName, input: { part: `part-${this.#called}` } };
    return { purpose: 'turn', text: `I look at part ${this.#called}.`, reasoning: '', calls: [call], usage };
  }
}

function tokensOf({ system, said }: WireRequest): number {
  const texts = said.map((one) => (one.kind === 'call' ? JSON.stringify([one.name, one.input]) : one.text));
  return [system, ...texts].reduce((total, text) => total + countWithO200k(text), 0);
}

export interface LongTurnServer {
  /** Without a path. */
  readonly address: string;
  readonly model: LongTurnModel;
  close(): void;
}

const answers = { chat: answerChat, responses: answerResponses, messages: answerMessages };

/** The model behind Chat Completions, Responses and Messages. */
export async function startLongTurn(steps: number): Promise<LongTurnServer> {
  const model = new LongTurnModel(steps);
  let number = 0;
  const server = await startModelServer((response, asked) => {
    const api = apiOf(asked.path);
    if (api === null || api === 'gemini') return json(response, 404, { error: { message: 'There is no such path.' } });
    number += 1;
    const reply = model.take(readers[api](asked.body), definitionsIn(asked.body));
    if (reply === null) refuse(response, api);
    else answers[api](response, asked, reply, number);
  });
  return { address: server.baseUrl.replace(/\/v1$/, ''), model, close: () => server.close() };
}

function definitionsIn({ tools }: Asked['body']): string {
  return tools === undefined ? '' : JSON.stringify(tools);
}

function refuse(response: ServerResponse, api: Api): void {
  const message = `This model's maximum context length is ${window} tokens. Please reduce the length of the messages.`;
  const error =
    api === 'messages'
      ? { type: 'invalid_request_error', message: `prompt is too long: ${message}` }
      : { message, code: 'context_length_exceeded' };
  json(response, 400, { type: 'error', error });
}
