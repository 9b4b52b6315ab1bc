import type { Usage } from '../../engine/conversation/entry';
import * as s from '../../platform/json/schemas';
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

const said = s.record({
  /** Reasoning is not part of OpenAI's API; other servers use one of these names. */
  reasoning_content: s.name,
  reasoning: s.name,
  content: s.name,
  refusal: s.name,
  tool_calls: s.records({ index: s.anything, id: s.text, function: s.jsonRecord, custom: s.jsonRecord }),
});

type Said = s.Read<typeof said>;

/** Received data may lack any field, whatever the API says. */
const chatAnswer = s.record({
  choices: s.records({ message: said, delta: said, finish_reason: s.textOrNull }),
  usage: s.record({
    prompt_tokens: tokenCount,
    completion_tokens: tokenCount,
    prompt_tokens_details: s.record({ cached_tokens: tokenCount }),
  }),
});

/** Servers may report anything; a negative number is not a count. */
function tokenCount(value: unknown): number | null {
  return Number.isSafeInteger(value) ? s.count(value) : null;
}

/** The events of a complete chat completion; null if the object is not a completion. */
export function eventsOfCompletion(answer: unknown): AnswerEvent[] | null {
  const { choices, usage } = s.read(chatAnswer, answer);
  const [choice] = choices;
  if (!choice) return null;
  const finished: AnswerEvent = { kind: 'finished', reason: choice.finish_reason ?? 'stop' };
  return [...spokenEvents(choice.message), finished, ...usageEvents(usage)];
}

/** The events of one chunk of a stream. */
export function* eventsOfChunk(chunk: unknown): Generator<AnswerEvent> {
  const { choices, usage } = s.read(chatAnswer, chunk);
  const [choice] = choices;
  if (choice) yield* spokenEvents(choice.delta);
  if (choice && choice.finish_reason !== null) yield { kind: 'finished', reason: choice.finish_reason };
  yield* usageEvents(usage);
}

function* spokenEvents({ reasoning_content, reasoning, content, refusal, tool_calls }: Said): Generator<AnswerEvent> {
  const thought = reasoning_content ?? reasoning;
  if (thought !== null) yield { kind: 'reasoning', text: thought };
  if (content !== null) yield { kind: 'text', text: content };
  if (refusal !== null) yield { kind: 'refusal', text: refusal };
  for (const call of tool_calls) yield { kind: 'tool-call', delta: deltaOf(call) };
}

function deltaOf({ index, id, function: called, custom }: Said['tool_calls'][number]): ToolCallDelta {
  const { name, arguments: given, input } = called ?? custom ?? {};
  return {
    index: typeof index === 'number' ? index : null,
    ...{ id, name: s.text(name), arguments: argumentsOf(given ?? input) },
    ...(custom ? { isCustom: true } : {}),
  };
}

/** Some servers send the arguments as an object instead of JSON text. */
function argumentsOf(given: unknown): string {
  return typeof given === 'string' ? given : given ? JSON.stringify(given) : '';
}

function* usageEvents(usage: s.Read<typeof chatAnswer>['usage']): Generator<AnswerEvent> {
  const { prompt_tokens: input, completion_tokens: output, prompt_tokens_details: details } = usage;
  if (input !== null && output !== null) yield { kind: 'usage', input, output, cached: details.cached_tokens ?? 0 };
}

/** The reported prompt tokens include cached ones; `Usage` excludes them. */
export function usageOf({ input, output, cached }: Extract<AnswerEvent, { kind: 'usage' }>): Usage {
  return { input: Math.max(0, input - cached), output, cacheRead: cached, cacheWrite: 0 };
}
