import type { ChatCompletion, ChatCompletionChunk } from 'openai/resources/chat/completions';
import type { Usage } from '../../engine/conversation/entry';
import type { ToolCallDelta } from './tool-call-assembly';

/** A part of an answer as received. */
export type AnswerEvent =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'reasoning'; readonly text: string }
  /** The model's text if it declines. */
  | { readonly kind: 'refusal'; readonly text: string }
  | { readonly kind: 'tool-call'; readonly delta: ToolCallDelta }
  | { readonly kind: 'finished'; readonly reason: string }
  /** `input` is the whole prompt, `cached` the part of it that came from the provider's cache. */
  | { readonly kind: 'usage'; readonly input: number; readonly output: number; readonly cached: number };

/** The events of a complete chat completion; null if the object is not a completion. */
export function eventsOfCompletion(answer: unknown): AnswerEvent[] | null {
  const { choices, usage } = partsOf<ChatCompletion>(answer);
  const [choice] = choices ?? [];
  if (!choice) return null;
  const finished: AnswerEvent = { kind: 'finished', reason: choice.finish_reason ?? 'stop' };
  return [...spokenEvents(choice.message), finished, ...usageEvents(usage)];
}

/** The events of one chunk of a stream. */
export function* eventsOfChunk(chunk: unknown): Generator<AnswerEvent> {
  const { choices, usage } = partsOf<ChatCompletionChunk>(chunk);
  const [choice] = choices ?? [];
  if (choice) yield* spokenEvents(choice.delta);
  if (typeof choice?.finish_reason === 'string') yield { kind: 'finished', reason: choice.finish_reason };
  yield* usageEvents(usage);
}

/** Received data may lack any field, whatever its type says. */
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
  const { index, id, function: called, custom } = fieldsOf(call);
  const { name, arguments: given, input } = fieldsOf(called ?? custom);
  return {
    index: typeof index === 'number' ? index : null,
    id: typeof id === 'string' ? id : '',
    name: typeof name === 'string' ? name : '',
    arguments: argumentsOf(given ?? input),
    ...(custom ? { isCustom: true } : {}),
  };
}

/** Some servers send the arguments as an object instead of JSON text. */
function argumentsOf(given: unknown): string {
  return typeof given === 'string' ? given : given ? JSON.stringify(given) : '';
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

/** Servers may report anything; a negative number is not a count. */
function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}

/** The reported prompt tokens include cached ones; `Usage` excludes them. */
export function usageOf({ input, output, cached }: Extract<AnswerEvent, { kind: 'usage' }>): Usage {
  return { input: Math.max(0, input - cached), output, cacheRead: cached, cacheWrite: 0 };
}
