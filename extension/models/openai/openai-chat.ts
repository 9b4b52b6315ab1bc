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
import { isAboutUsage } from './dialect';
import type { OpenAiAccess } from './environment';
import { type Call, complaintOf, failureOf, named } from './failures';
import { loadSdk } from './sdk';

type AsMessages = (context: Pick<Context, 'messages'>) => ChatCompletionMessageParam[];

export interface OpenAiChatOptions extends OpenAiAccess {
  /** `contextAsOpenAi`. Passed in, because the middleware owns the format and models must not import it. */
  readonly asMessages: AsMessages;
  /** Shown to a person. Default: the model's name. */
  readonly name?: string;
  /** Null if unknown. */
  readonly contextWindow: number | null;
  /**
   * Maximum wait in milliseconds: for the beginning of an answer, including retries, and then for each further piece.
   */
  readonly timeoutMs: number;
  /** Number of retries after temporary failures before the answer began. */
  readonly retries: number;
}

/** In bytes, for a streaming answer: each of its pieces has an overhead much larger than its text. */
const longestResponse = 128 * 1024 * 1024;

/** A chat with a model of an OpenAI-compatible server. Throws `ModelFailed` for invalid settings. */
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

/** Facts about the server that its refusals revealed. */
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
    // Also if the reader stops.
    abort.abort();
    patience.dispose();
  }
}

/** Some servers refuse the request to report usage. */
async function requested(order: ChatOrder, connection: Connection, signal: AbortSignal): Promise<Response> {
  const { client, options, habits, sdk } = connection;
  const { reportsUsage } = habits;
  const send = (asksForUsage: boolean) =>
    client.chat.completions.create(requestBody(options, order, asksForUsage), { signal }).asResponse();
  try {
    return await send(reportsUsage);
  } catch (error) {
    if (!reportsUsage || !isAboutUsage(complaintOf(error, sdk) ?? '')) throw error;
    habits.reportsUsage = false;
    return await send(false);
  }
}

/** Sets no limit for the answer: the server knows the limit of its model. */
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

/** Some servers refuse a function without a schema. */
const noInput = { type: 'object', properties: {} };

function asFunction({ name, description, inputSchema = noInput }: ChatTool): ChatCompletionFunctionTool {
  return { type: 'function', function: { name, description, parameters: { ...inputSchema } } };
}
