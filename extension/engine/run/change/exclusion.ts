import { writtenBy } from '../../block/strategy';
import { blockOf, type ContextMessage } from '../../conversation/context';
import { toolCalls, toolResults } from '../../conversation/entry';
import { opensTurn, type Segment, segmentsOf } from '../../conversation/turns';
import { exclusionStrategy } from '../../journal/excluded';
import { localizable } from '../../wording/localizable-text';
import type { StrategyChoice } from '../prepare/registry';

const title = localizable('Exclusion');

/** Replaces the excluded messages, so that the model sees why there is a gap. */
const note = 'Taken out of the context by the user.';

export type ExclusionPlan =
  | {
      readonly kind: 'excludes';
      readonly user: ContextMessage | null;
      readonly messages: readonly ContextMessage[];
      readonly summaryType: 'excluded' | 'excluded_turns';
    }
  | { readonly kind: 'not-there' }
  /** The system prompt, the core, blocks and summaries. */
  | { readonly kind: 'not-excludable' }
  /** The live turn depends on it: the user's own message, a call without a result, or a result not yet answered. */
  | { readonly kind: 'in-use' };

/**
 * Plans the exclusion of one message with everything that belongs to it: calls with their results, and a user message
 * with its whole turn. Otherwise a provider would refuse the context.
 */
export function planExclusion(messages: readonly ContextMessage[], key: string): ExclusionPlan {
  const message = messages.find((candidate) => candidate.key === key);
  if (!message) return { kind: 'not-there' };
  if (isFixed(message)) return { kind: 'not-excludable' };
  const segments = segmentsOf(messages);
  const segment = segments.find(({ start, end }) => messages.slice(start, end).includes(message));
  if (!segment) return { kind: 'not-there' };
  const isLive = segment === segments.at(-1);
  return opensTurn(message) ? wholeTurn(messages, segment, isLive) : withAnswers(messages, segment, message, isLive);
}

function isFixed(message: ContextMessage): boolean {
  const { kind } = message;
  return blockOf(message) !== undefined || kind === 'system' || kind === 'core' || kind === 'summary';
}

function wholeTurn(messages: readonly ContextMessage[], { start, end }: Segment, isLive: boolean): ExclusionPlan {
  const turn = messages.slice(start, end).filter(({ kind }) => kind !== 'system' && kind !== 'core');
  if (isLive) return { kind: 'in-use' };
  return { kind: 'excludes', user: turn[0] ?? null, messages: turn, summaryType: 'excluded_turns' };
}

/**
 * A reply is excluded with the results of all its calls, and a result with the newest preceding reply that has its call
 * id: some servers reuse the same id.
 */
function withAnswers(
  messages: readonly ContextMessage[],
  { start, end }: Segment,
  message: ContextMessage,
  isLive: boolean,
): ExclusionPlan {
  const turn = messages.slice(start, end);
  const taken = joinedByCalls(turn).find((group) => group.includes(message)) ?? [message];
  if (isLive && (isUnanswered(taken) || endsWithResult(taken, messages))) return { kind: 'in-use' };
  const user = turn[0] && opensTurn(turn[0]) ? turn[0] : null;
  return { kind: 'excludes', user, messages: taken, summaryType: 'excluded' };
}

/** Groups the messages of a turn that are connected by calls and results; each group keeps the original order. */
function joinedByCalls(turn: readonly ContextMessage[]): ContextMessage[][] {
  const groups = new Set<ContextMessage[]>();
  const callers = new Map<string, ContextMessage[]>();
  for (const message of turn) {
    const called = new Set(toolResults(message.parts).flatMap(({ callId }) => callers.get(callId) ?? []));
    const joined = [...groups].filter((group) => group.some((member) => called.has(member)));
    const [first = [], ...others] = joined;
    first.push(...others.flat(), message);
    for (const other of others) groups.delete(other);
    groups.add(first);
    for (const { callId } of toolCalls(message.parts)) callers.set(callId, [message]);
  }
  return [...groups].map((group) => turn.filter((message) => group.includes(message)));
}

function isUnanswered(messages: readonly ContextMessage[]): boolean {
  const answered = new Set(messages.flatMap(({ parts }) => toolResults(parts).map(({ callId }) => callId)));
  return messages.some(({ parts }) => toolCalls(parts).some(({ callId }) => !answered.has(callId)));
}

/** True if the model has to answer these results next. */
function endsWithResult(taken: readonly ContextMessage[], messages: readonly ContextMessage[]): boolean {
  const last = messages.at(-1);
  return last !== undefined && taken.includes(last) && toolResults(last.parts).length > 0;
}

/** Wraps the plan as a strategy that carries it out once. */
export function exclusionOf({
  user,
  messages,
  summaryType,
}: Extract<ExclusionPlan, { kind: 'excludes' }>): StrategyChoice {
  const plan = {
    strategy: exclusionStrategy,
    parameters: {},
    summaryType,
    sections: [],
    turns: [{ user, replaced: messages }],
    reason: localizable('Removed by hand.'),
  };
  const isThere = (present: readonly ContextMessage[]) => {
    const keys = new Set(present.map(({ key }) => key));
    return messages.every(({ key }) => keys.has(key));
  };
  return {
    name: exclusionStrategy,
    title,
    description: localizable('Takes single messages out of the context, and says so in their place.'),
    group: 'by-hand',
    steps: [
      {
        name: exclusionStrategy,
        title,
        description: title,
        defaults: {},
        plan: (input) =>
          isThere(input.messages) && input.rejected.size === 0
            ? { kind: 'planned', plans: [plan] }
            : { kind: 'nothing-to-compact' },
        write: async () => writtenBy('person', note),
      },
    ],
  };
}
