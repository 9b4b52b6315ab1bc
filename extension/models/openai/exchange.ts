import type { OpenAI } from 'openai';
import type { ChatCompletionCreateParamsStreaming } from 'openai/resources/chat/completions';
import type { Completion, CompletionOptions, ModelFailed, Prompt } from '../../engine/block/language-model';
import type { CountTokens } from '../../engine/conversation/tokens';
import type { Patience } from '../patience';
import { answerEvents } from './answer-events';
import { adapted, type Dialect, withReasoning } from './dialect';
import { type Call, complaintOf, declined, failureOf, incomplete, onlyReasoned } from './failures';
import { type Read, readAnswer } from './read-answer';
import type { Sdk } from './sdk';

interface Connection {
  readonly sdk: Sdk;
  readonly client: OpenAI;
  readonly call: Call;
  readonly patience: Patience;
  readonly retries: number;
  readonly countTokens: CountTokens;
}

type Attempt =
  | { readonly kind: 'completed'; readonly completion: Completion }
  /** The answer had begun, and broke off. */
  | { readonly kind: 'broke'; readonly failure: ModelFailed }
  /** `next` is the dialect for the next attempt; null if there is none. */
  | { readonly kind: 'unsuited'; readonly next: Dialect | null; readonly failure: ModelFailed };

/**
 * One completion, possibly in several requests. The client library retries temporary failures; this adapts the dialect.
 */
export class Exchange {
  constructor(
    private readonly connection: Connection,
    private readonly prompt: Prompt,
    private readonly wanted: CompletionOptions,
  ) {}

  /** Terminates, because a dialect only gets narrower and an answer may break off only once. */
  async completion(known: Dialect, learn: (dialect: Dialect) => void): Promise<Completion> {
    let dialect = known;
    let mayBreak = this.connection.retries > 0;
    for (;;) {
      const attempt = await this.#attempt(dialect);
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

  async #attempt(dialect: Dialect): Promise<Attempt> {
    const { sdk, call, patience } = this.connection;
    const abort = new AbortController();
    let begun = false;
    try {
      patience.startOver();
      const response = await this.#request(dialect, abort);
      begun = true;
      return this.#judge(await this.#read(response, dialect, abort), dialect);
    } catch (error) {
      patience.throwIfEnded();
      const failure = failureOf(error, call, sdk);
      if (begun && failure.kind === 'unavailable') return { kind: 'broke', failure };
      return { kind: 'unsuited', next: nextDialect(dialect, error, sdk), failure };
    } finally {
      abort.abort();
    }
  }

  #request(dialect: Dialect, abort: AbortController): Promise<Response> {
    const { client, call, patience } = this.connection;
    const body = requestBody(call.access.model, this.prompt, this.wanted.maxTokens, dialect);
    const signal = AbortSignal.any([patience.signal, abort.signal]);
    return client.chat.completions.create(body, { signal }).asResponse();
  }

  async #read(response: Response, { reasoningTokens }: Dialect, abort: AbortController): Promise<Read> {
    const { patience, countTokens } = this.connection;
    const { maxTokens, onText } = this.wanted;
    const read = await readAnswer(
      answerEvents(response, abort, this.connection),
      { maxTokens, reasoningTokens, countTokens },
      { onEvent: () => patience.heard(), ...(onText ? { onText } : {}) },
    );
    patience.throwIfEnded();
    return read;
  }

  #judge({ text, finish, usage, hasReasoned }: Read, dialect: Dialect): Attempt {
    const { call, countTokens } = this.connection;
    if (finish === 'content_filter') throw declined(call);
    if (finish === null && usage === null) throw incomplete(call);
    const isCut = finish === 'length';
    if (isCut && text === '' && hasReasoned)
      return { kind: 'unsuited', next: withReasoning(dialect), failure: onlyReasoned(call) };
    const input = () => countTokens(`${this.prompt.system}\n${this.prompt.user}`);
    const tokens = usage ?? { input: input(), output: countTokens(text) };
    return { kind: 'completed', completion: { text, tokens, isCut } };
  }
}

function nextDialect(dialect: Dialect, error: unknown, sdk: Sdk): Dialect | null {
  const complaint = complaintOf(error, sdk);
  return complaint === null ? null : adapted(dialect, complaint);
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
