import type { OpenAI } from 'openai';
import type { ChatCompletion, ChatCompletionChunk } from 'openai/resources/chat/completions';
import { type Call, failed } from './failures';
import type { Sdk } from './sdk';

/** What comes in of an answer. */
export type AnswerEvent =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'reasoning'; readonly text: string }
  | { readonly kind: 'finished'; readonly reason: string }
  | { readonly kind: 'usage'; readonly input: number; readonly output: number };

export interface Reader {
  readonly call: Call;
  readonly sdk: Sdk;
  readonly client: OpenAI;
}

/**
 * The events of a response, whether the server streams or ignores that it was asked to. `abort` ends the request when
 * nobody reads on.
 */
export async function* answerEvents(
  response: Response,
  abort: AbortController,
  { call, sdk, client }: Reader,
): AsyncGenerator<AnswerEvent> {
  const type = response.headers.get('content-type') ?? '';
  if (/\bhtml\b/i.test(type)) {
    throw failed(
      'misconfigured',
      call,
      `answered with a web page (${type}). Does the base URL lead to an API, and end in /v1?`,
    );
  }
  if (/\bjson\b/i.test(type)) yield* eventsOfWhole(JSON.parse(await response.text()), call);
  else {
    for await (const chunk of sdk.Stream.fromSSEResponse<unknown>(response, abort, client)) yield* eventsOfChunk(chunk);
  }
}

function* eventsOfWhole(answer: unknown, call: Call): Generator<AnswerEvent> {
  const { choices, usage } = partsOf<ChatCompletion>(answer);
  const [choice] = choices ?? [];
  if (!choice) throw failed('broken-answer', call, 'answered with JSON that is no chat completion.');
  yield* spokenEvents(choice.message);
  yield { kind: 'finished', reason: choice.finish_reason ?? 'stop' };
  yield* usageEvents(usage);
}

function* eventsOfChunk(chunk: unknown): Generator<AnswerEvent> {
  const { choices, usage } = partsOf<ChatCompletionChunk>(chunk);
  const [choice] = choices ?? [];
  if (choice) yield* spokenEvents(choice.delta);
  if (typeof choice?.finish_reason === 'string') yield { kind: 'finished', reason: choice.finish_reason };
  yield* usageEvents(usage);
}

/** What came over the wire is no type's word: any part of it may be missing. */
function partsOf<T extends { choices: unknown; usage?: unknown }>(
  value: unknown,
): Partial<Pick<T, 'choices' | 'usage'>> {
  if (typeof value !== 'object' || value === null) return {};
  const { choices, usage } = value as Partial<T>;
  const listed = Array.isArray(choices) && typeof choices[0] === 'object' && choices[0] !== null;
  return { ...(listed ? { choices } : {}), ...(typeof usage === 'object' && usage !== null ? { usage } : {}) };
}

function* spokenEvents(spoken: unknown): Generator<AnswerEvent> {
  if (typeof spoken !== 'object' || spoken === null) return;
  const { content, refusal, reasoning_content, reasoning } = spoken as Readonly<Record<string, unknown>>;
  const thought = [reasoning_content, reasoning].find((text) => typeof text === 'string' && text !== '');
  if (typeof thought === 'string') yield { kind: 'reasoning', text: thought };
  if (typeof content === 'string' && content !== '') yield { kind: 'text', text: content };
  if (typeof refusal === 'string' && refusal !== '') yield { kind: 'finished', reason: 'content_filter' };
}

function* usageEvents(usage: unknown): Generator<AnswerEvent> {
  if (typeof usage !== 'object' || usage === null) return;
  const { prompt_tokens: input, completion_tokens: output } = usage as Readonly<Record<string, unknown>>;
  if (typeof input === 'number' && typeof output === 'number') yield { kind: 'usage', input, output };
}
