import type { OpenAI } from 'openai';
import type { ChatCompletion, ChatCompletionChunk } from 'openai/resources/chat/completions';
import { type Call, failed } from './failures';
import type { Sdk } from './sdk';
import type { ToolCallDelta } from './tool-call-assembly';

/** What comes in of an answer. */
export type AnswerEvent =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'reasoning'; readonly text: string }
  /** What the model says where it declines. */
  | { readonly kind: 'refusal'; readonly text: string }
  | { readonly kind: 'tool-call'; readonly delta: ToolCallDelta }
  | { readonly kind: 'finished'; readonly reason: string }
  /** `input` is the whole prompt, `cached` the part of it that came from the provider's cache. */
  | { readonly kind: 'usage'; readonly input: number; readonly output: number; readonly cached: number };

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
  const { content, refusal, reasoning_content, reasoning, tool_calls } = spoken as Fields;
  const thought = [reasoning_content, reasoning].find((text) => typeof text === 'string' && text !== '');
  if (typeof thought === 'string') yield { kind: 'reasoning', text: thought };
  if (typeof content === 'string' && content !== '') yield { kind: 'text', text: content };
  if (typeof refusal === 'string' && refusal !== '') yield { kind: 'refusal', text: refusal };
  for (const call of Array.isArray(tool_calls) ? tool_calls : []) yield { kind: 'tool-call', delta: deltaOf(call) };
}

type Fields = Readonly<Record<string, unknown>>;

function deltaOf(call: unknown): ToolCallDelta {
  const { index, id, function: called } = fieldsOf(call);
  const { name, arguments: given } = fieldsOf(called);
  return {
    index: typeof index === 'number' ? index : null,
    id: typeof id === 'string' ? id : '',
    name: typeof name === 'string' ? name : '',
    // Some servers give the arguments as an object and not as JSON text.
    arguments: typeof given === 'string' ? given : given ? JSON.stringify(given) : '',
  };
}

function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null ? (value as Fields) : {};
}

function* usageEvents(usage: unknown): Generator<AnswerEvent> {
  const { prompt_tokens: input, completion_tokens: output, prompt_tokens_details } = fieldsOf(usage);
  const { cached_tokens: cached } = fieldsOf(prompt_tokens_details);
  if (!isCount(input) || !isCount(output)) return;
  yield { kind: 'usage', input, output, cached: isCount(cached) ? cached : 0 };
}

/** Servers report what they like; less than nothing is no count. */
function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}
