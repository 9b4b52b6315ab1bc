import type { OpenAI } from 'openai';
import type { ChatCompletionCreateParamsStreaming } from 'openai/resources/chat/completions';
import {
  type Completion,
  type CompletionOptions,
  type LanguageModel,
  type ModelFailed,
  type Prompt,
  sendable,
} from '../../engine/block/language-model';
import type { CountTokens } from '../../engine/conversation/tokens';
import { CappedText, estimatedTokens } from '../capped-text';
import { Patience } from '../patience';
import { answerEvents, type Reader } from './answer-events';
import type { AnswerEvent } from './chat-events';
import { checkedEndpoint, type OpenAiOptions, openClient } from './client';
import { adapted, type Dialect, firstDialect, withReasoning } from './dialect';
import { type Call, complaintOf, declined, failureOf, incomplete, named, onlyReasoned } from './failures';
import { loadSdk } from './sdk';

export interface OpenAiModelOptions extends OpenAiOptions {
  /** Counts what the server does not report. Default: an estimate. */
  readonly countTokens?: CountTokens;
}

/** Concurrent calls: a local machine has one graphics card, a service has many. */
const concurrency = { local: 1, remote: 3 };

/** A model of an OpenAI-compatible server. Throws `ModelFailed` for invalid settings. */
export function openAiModel(options: OpenAiModelOptions): LanguageModel {
  const { model, retries, countTokens = estimatedTokens } = options;
  const endpoint = checkedEndpoint(options);
  const call: Call = { access: options, request: `POST ${endpoint.baseUrl}/chat/completions` };
  let known = firstDialect(endpoint);
  let client: OpenAI | null = null;
  return {
    name: 'openai',
    model,
    concurrency: endpoint.isLocal ? concurrency.local : concurrency.remote,
    async complete(prompt, wanted) {
      const patience = new Patience(named(call), options, wanted.signal);
      try {
        const sdk = await loadSdk();
        client ??= openClient(sdk, endpoint, options);
        const asked = { sdk, client, call, patience, countTokens, prompt: sendable(prompt), wanted };
        return await completion(asked, retries, known, (learnt) => {
          known = learnt;
        });
      } finally {
        patience.dispose();
      }
    },
  };
}

/** One completion, and what it needs. */
interface Asked extends Reader {
  readonly patience: Patience;
  readonly countTokens: CountTokens;
  readonly prompt: Prompt;
  readonly wanted: CompletionOptions;
}

type Attempt =
  | { readonly kind: 'completed'; readonly completion: Completion }
  /** The answer had begun, and broke off. */
  | { readonly kind: 'broke'; readonly failure: ModelFailed }
  /** `next` is the dialect for the next attempt; null if there is none. */
  | { readonly kind: 'unsuited'; readonly next: Dialect | null; readonly failure: ModelFailed };

/**
 * Possibly takes several requests: the client library retries temporary failures, and this adapts the dialect. Terminates, because a
 * dialect only gets narrower and an answer may break off only once.
 */
async function completion(
  asked: Asked,
  retries: number,
  known: Dialect,
  learn: (dialect: Dialect) => void,
): Promise<Completion> {
  let dialect = known;
  let mayBreak = retries > 0;
  for (;;) {
    const attempt = await attempted(asked, dialect);
    if (attempt.kind === 'completed') return attempt.completion;
    if (attempt.kind === 'broke') {
      if (!mayBreak) throw attempt.failure;
      mayBreak = false;
    } else {
      if (attempt.next === null) throw attempt.failure;
      dialect = attempt.next;
      learn(dialect);
    }
  }
}

async function attempted(asked: Asked, dialect: Dialect): Promise<Attempt> {
  const { sdk, client, call, patience, prompt, wanted } = asked;
  const abort = new AbortController();
  let begun = false;
  try {
    patience.startOver();
    const body = requestBody(call.access.model, prompt, wanted.maxTokens, dialect);
    const signal = AbortSignal.any([patience.signal, abort.signal]);
    const response = await client.chat.completions.create(body, { signal }).asResponse();
    begun = true;
    const answer = await readAnswer(answerEvents(response, abort, asked), asked, dialect);
    patience.throwIfEnded();
    return judged(answer, asked, dialect);
  } catch (error) {
    patience.throwIfEnded();
    const failure = failureOf(error, call, sdk);
    if (begun && failure.kind === 'unavailable') return { kind: 'broke', failure };
    const complaint = complaintOf(error, sdk);
    return { kind: 'unsuited', next: complaint === null ? null : adapted(dialect, complaint), failure };
  } finally {
    abort.abort();
  }
}

function requestBody(
  model: string,
  { system, user }: Prompt,
  maxTokens: number,
  dialect: Dialect,
): ChatCompletionCreateParamsStreaming {
  return {
    model,
    messages: [
      { role: 'system', content: system },
      { role: 'user', content: user },
    ],
    stream: true,
    [dialect.limit]: maxTokens + dialect.reasoningTokens,
    ...(dialect.reportsUsage ? { stream_options: { include_usage: true } } : {}),
    ...(dialect.effort === null ? {} : { reasoning_effort: dialect.effort }),
    ...(dialect.hasTemplateSwitch ? { chat_template_kwargs: { enable_thinking: false } } : {}),
  };
}

interface Answer {
  /** Without reasoning. */
  readonly text: string;
  /** Why the answer ended; `length` also if it was cut off here; null if the stream gave no reason. */
  readonly finish: string | null;
  readonly usage: Completion['tokens'] | null;
  readonly hasReasoned: boolean;
}

/** Reads an answer to its end or to its maximum length. */
async function readAnswer(
  events: AsyncIterable<AnswerEvent>,
  { patience, countTokens, wanted: { maxTokens, onText } }: Asked,
  { reasoningTokens }: Dialect,
): Promise<Answer> {
  const answer = new CappedText({ maxTokens, reasoningTokens, countTokens });
  let finish: string | null = null;
  let hasDeclined = false;
  let usage: Completion['tokens'] | null = null;
  for await (const event of events) {
    patience.heard();
    if (event.kind === 'finished' && !hasDeclined) finish = event.reason;
    if (event.kind === 'refusal') {
      hasDeclined = true;
      finish = 'content_filter';
    }
    if (event.kind === 'usage') usage = { input: event.input, output: event.output };
    if (isFull(answer, event)) {
      finish = 'length';
      break;
    }
    if (event.kind === 'text') onText?.(answer.text);
  }
  return { text: answer.text, finish, usage, hasReasoned: answer.hasReasoned };
}

/** Adds a piece of the answer. True once the maximum length is reached. */
function isFull(answer: CappedText, event: AnswerEvent): boolean {
  if (event.kind === 'text') return answer.add(event.text);
  return event.kind === 'reasoning' && answer.addReasoning(event.text);
}

function judged({ text, finish, usage, hasReasoned }: Answer, asked: Asked, dialect: Dialect): Attempt {
  const { call, countTokens, prompt } = asked;
  if (finish === 'content_filter') throw declined(call);
  if (finish === null && usage === null) throw incomplete(call);
  const isCut = finish === 'length';
  if (isCut && text === '' && hasReasoned)
    return { kind: 'unsuited', next: withReasoning(dialect), failure: onlyReasoned(call) };
  const tokens = usage ?? { input: countTokens(`${prompt.system}\n${prompt.user}`), output: countTokens(text) };
  return { kind: 'completed', completion: { text, tokens, isCut } };
}
