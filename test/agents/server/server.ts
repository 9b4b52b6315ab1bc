import type { ServerResponse } from 'node:http';
import { type Asked, json, type ModelServer, startModelServer } from '../../builders/scripted-model-server';
import { type Api, apiOf, readers } from '../wire/read';
import type { WireRequest } from '../wire/utterance';
import { answerChat } from './chat';
import { answerGemini } from './gemini';
import { answerMessages } from './messages';
import { answerResponses } from './responses';
import { type ScriptedReply, scriptedReply, type Toolbox } from './script';

/** One request for a reply, its content, and the reply. */
export interface Exchange {
  readonly api: Api;
  readonly body: Asked['body'];
  readonly request: WireRequest;
  readonly reply: ScriptedReply;
}

export interface AgentServer extends Pick<ModelServer, 'close'> {
  /** Without a path. */
  readonly address: string;
  /** Oldest first. */
  readonly exchanges: readonly Exchange[];
}

/** Sends a reply in the format of an API. `number` makes its ids. */
export type Answer = (response: ServerResponse, asked: Asked, reply: ScriptedReply, number: number) => void;

const answers: Readonly<Record<Api, Answer>> = {
  chat: answerChat,
  responses: answerResponses,
  messages: answerMessages,
  gemini: answerGemini,
};

/** A model on the loopback interface that supports the APIs of all agents and follows the words in its prompts. */
export async function startAgentServer(tools: Toolbox): Promise<AgentServer> {
  const exchanges: Exchange[] = [];
  const told = new Set<string>();
  const server = await startModelServer((response, asked) => {
    const api = apiOf(asked.path);
    if (api === null) return answerOther(response, asked.path);
    const request = readers[api](asked.body);
    const number = exchanges.length + 1;
    const reply = scriptedReply(request, tools, number, told);
    exchanges.push({ api, body: asked.body, request, reply });
    if (reply.purpose === 'refused') json(response, 400, tooLong(api));
    else answers[api](response, asked, reply, number);
  });
  return { address: server.baseUrl.replace(/\/v1$/, ''), exchanges, close: () => server.close() };
}

/** The error with which each API's provider refuses a request that is too long for the model. */
function tooLong(api: Api): object {
  if (api === 'messages') {
    const message = 'prompt is too long: 210000 tokens > 200000 maximum';
    return { type: 'error', error: { type: 'invalid_request_error', message } };
  }
  const message =
    "This model's maximum context length is 200000 tokens. However, your messages resulted in 210000 tokens.";
  return { error: { message, type: 'invalid_request_error', code: 'context_length_exceeded' } };
}

/** Answers the other requests of agents: the list of models, and the number of tokens of a text. */
function answerOther(response: ServerResponse, path: string): void {
  if (/count_?tokens/i.test(path)) json(response, 200, { input_tokens: 100, totalTokens: 100 });
  else if (/\/models\b/.test(path))
    json(response, 200, { object: 'list', data: [{ id: 'scripted', object: 'model' }] });
  else json(response, 404, { error: { message: 'The scripted model knows no such path' } });
}
