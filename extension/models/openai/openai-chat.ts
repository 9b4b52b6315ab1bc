import type { OpenAI } from 'openai';
import type {
  ChatCompletionCreateParamsStreaming,
  ChatCompletionFunctionTool,
  ChatCompletionMessageParam,
} from 'openai/resources/chat/completions';
import type { Context } from '../../engine/conversation/context';
import { CallIds } from '../call-ids';
import type { ChatModel, ChatOrder, ChatPiece, ChatTool } from '../chat-model';
import { Patience } from '../patience';
import { readPatiently } from '../read-patiently';
import { answerEvents, type Reader } from './answer-events';
import { ChatAnswer } from './chat-answer';
import { checkedEndpoint, openClient } from './client';
import { complaintOf } from './complaint';
import { isAboutUsage } from './dialect';
import type { OpenAiAccess } from './environment';
import { type Call, failureOf, named } from './failures';
import { loadSdk } from './sdk';

export type AsMessages = (context: Pick<Context, 'messages'>) => ChatCompletionMessageParam[];

export interface OpenAiChatOptions extends OpenAiAccess {
  /** `contextAsOpenAi`: the middleware owns the format, and models import none of it. */
  readonly asMessages: AsMessages;
  /** For a person; the model's own name where there is none. */
  readonly name?: string;
  /** Null where nobody says. */
  readonly contextWindow: number | null;
  /** The longest wait in milliseconds: for an answer to begin, retries and waits included, and then for each further piece. */
  readonly timeoutMs: number;
  /** How often a request is tried again that failed before its answer began, for a reason that passes. */
  readonly retries: number;
}

/** Each piece of an answer is wrapped in some hundred bytes, however short it is. In bytes. */
const longestResponse = 128 * 1024 * 1024;

/** A chat with a model behind an OpenAI-compatible server. Throws `ModelFailed` where the settings cannot be right. */
export function openAiChat(options: OpenAiChatOptions): ChatModel {
  const endpoint = checkedEndpoint(options);
  const call: Call = { access: options, request: `POST ${endpoint.baseUrl}/chat/completions` };
  const habits: Habits = { reportsUsage: true };
  let client: OpenAI | null = null;
  return {
    model: options.model,
    name: options.name ?? options.model,
    contextWindow: options.contextWindow,
    async *converse(order) {
      const sdk = await loadSdk();
      client ??= openClient(sdk, endpoint, options, longestResponse);
      yield* conversed(order, { call, sdk, client, habits, options });
    },
  };
}

/** What is learned of a server from what it refuses. */
interface Habits {
  reportsUsage: boolean;
}

interface Connection extends Reader {
  readonly habits: Habits;
  readonly options: OpenAiChatOptions;
}

async function* conversed(order: ChatOrder, connection: Connection): AsyncGenerator<ChatPiece> {
  const { call, sdk, options } = connection;
  const { timeoutMs } = options;
  const patience = new Patience(named(call), { timeoutMs, idleTimeoutMs: timeoutMs }, order.signal);
  const abort = new AbortController();
  try {
    const signal = AbortSignal.any([patience.signal, abort.signal]);
    const response = await requested(order, connection, signal);
    const answer = new ChatAnswer(call, new CallIds(order.messages));
    for await (const event of readPatiently(answerEvents(response, abort, connection), patience)) {
      yield* answer.accept(event);
    }
    yield* answer.end();
    if (answer.isCut) order.onCut?.();
  } catch (error) {
    patience.throwIfEnded();
    throw failureOf(error, call, sdk);
  } finally {
    // Also where nobody reads on.
    abort.abort();
    patience.dispose();
  }
}

/** Not every server can report usage, and says so only when asked. */
async function requested(order: ChatOrder, connection: Connection, signal: AbortSignal): Promise<Response> {
  const { habits, sdk } = connection;
  const { reportsUsage } = habits;
  try {
    return await send(order, connection, { signal, reportsUsage });
  } catch (error) {
    if (!reportsUsage || !isAboutUsage(complaintOf(error, sdk) ?? '')) throw error;
    habits.reportsUsage = false;
    return await send(order, connection, { signal, reportsUsage: false });
  }
}

interface Sending {
  readonly signal: AbortSignal;
  readonly reportsUsage: boolean;
}

function send(order: ChatOrder, { client, options }: Connection, { signal, reportsUsage }: Sending): Promise<Response> {
  const body = requestBody(options, order, reportsUsage);
  return client.chat.completions.create(body, { signal }).asResponse();
}

/** No limit is set on the answer: a server knows best how long its model may speak. */
function requestBody(
  { model, asMessages }: OpenAiChatOptions,
  { messages, tools, toolMode }: ChatOrder,
  reportsUsage: boolean,
): ChatCompletionCreateParamsStreaming {
  return {
    model,
    messages: asMessages({ messages }),
    stream: true,
    ...(reportsUsage ? { stream_options: { include_usage: true } } : {}),
    ...(tools.length > 0 ? { tools: tools.map(asFunction), tool_choice: toolMode } : {}),
  };
}

/** A function without a schema is refused by some servers. */
const noInput = { type: 'object', properties: {} };

function asFunction({ name, description, inputSchema = noInput }: ChatTool): ChatCompletionFunctionTool {
  return { type: 'function', function: { name, description, parameters: { ...inputSchema } } };
}
