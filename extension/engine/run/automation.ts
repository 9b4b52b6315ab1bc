import { type Parameters, type PlanOutcome, planKey } from '../block/plan';
import type { Strategy } from '../block/strategy';
import type { Context, ContextMessage } from '../conversation/context';
import type { Conversation } from '../conversation/conversation';
import { toolCalls, toolResults } from '../conversation/entry';
import type { CompactionRecord } from '../journal/journal';
import type { JournaledCompaction, JournalState } from '../journal/journal-state';
import type { StrategyChoice } from './registry';
import { sinceCompaction } from './since-compaction';

export interface AutomationInput {
  readonly enabled: boolean;
  readonly strategy: StrategyChoice;
  readonly parameters: Readonly<Record<string, Parameters>>;
  readonly conversation: Conversation;
  readonly state: JournalState;
  readonly context: Context;
  readonly contextWindow: number;
  /** A context of this many tokens or fewer is left alone by what does not start by count. */
  readonly floorTokens: number;
  /** What must have been added since the last automatic run before the next one that goes by size, in tokens. */
  readonly pauseTokens: number;
  /** The share of the size at which a strategy starts that is worth a warning, in percent. */
  readonly warnAtPercent: number;
  /** The caller knows that no turn is under way, though the newest one may have come to nothing. Absent: look. */
  readonly betweenTurns?: boolean;
  /** Keys of plans that came to nothing in the last automatic run (`dueByCount`). They start no other. */
  readonly fruitless?: ReadonlySet<string>;
}

export type AutomationDecision =
  | { readonly kind: 'off' }
  /** Nothing to do now; for tests and the log, why. */
  | { readonly kind: 'wait'; readonly reason: WaitReason }
  /** It will start by itself before long. */
  | { readonly kind: 'warn'; readonly startsAt: number }
  /** By the size of the context, or by the number and age of turns and calls. */
  | { readonly kind: 'run'; readonly by: 'size' | 'count' };

export type WaitReason = 'mid-turn' | 'below-floor' | 'paused' | 'not-triggered';

/** Whether a compaction starts by itself now. Pure; the caller sees to it that no other run is under way. */
export function decideAutomation(input: AutomationInput): AutomationDecision {
  const { enabled, context, floorTokens } = input;
  if (!enabled) return { kind: 'off' };
  const isBlocked = !input.betweenTurns && isMidTurn(context.messages);
  if (dueByCount(input).length > 0) {
    if (isBlocked) return { kind: 'wait', reason: 'mid-turn' };
    return isUndone(input) && isPaused(input) ? { kind: 'wait', reason: 'paused' } : { kind: 'run', by: 'count' };
  }
  if (context.tokens.total <= floorTokens) return { kind: 'wait', reason: 'below-floor' };
  if (!isTriggeredBySize(input)) return nearlyTriggered(input) ?? { kind: 'wait', reason: 'not-triggered' };
  if (isBlocked) return { kind: 'wait', reason: 'mid-turn' };
  return isPaused(input) ? { kind: 'wait', reason: 'paused' } : { kind: 'run', by: 'size' };
}

/**
 * The plans that are due because enough turns or calls are old enough, by the key of their first message. Those that are
 * still due in the context that a run left came to nothing in it.
 */
export function dueByCount(input: AutomationInput): readonly string[] {
  if (input.strategy.aim) return [];
  const steps = input.strategy.steps.filter(({ startsByCount }) => startsByCount);
  return steps.flatMap((step) => {
    const outcome = outcomeOf(step, { ...input, floorTokens: 0 });
    return outcome.kind === 'planned' ? outcome.plans.map(planKey) : [];
  });
}

/** A turn is over when the agent has answered and waits for no tool. */
export function isMidTurn(messages: readonly ContextMessage[]): boolean {
  const last = messages.findLast((message) => message.kind !== 'core' && message.kind !== 'system');
  if (!last) return true;
  return last.role !== 'assistant' || toolCalls(last.parts).length > 0 || toolResults(last.parts).length > 0;
}

/**
 * After an automatic run the context has to grow before the next one that goes by size, so that a strategy that can save
 * only a little each time does not rewrite the prompt over and over. An undo counts as a run, for all strategies: the person
 * did not want it. What the agent compacts itself begins anew.
 */
function isPaused(input: AutomationInput): boolean {
  const { context, pauseTokens, conversation } = input;
  const last = lastAutomatic(input);
  if (!last || conversation.agentCompactions.some(({ timestamp }) => (timestamp ?? '') > last.record.time))
    return false;
  const since = last.active ? last.record.contextTokens?.after : last.record.contextTokens?.before;
  return since !== undefined && context.tokens.total < since + pauseTokens;
}

function isUndone(input: AutomationInput): boolean {
  return lastAutomatic(input)?.active === false;
}

function lastAutomatic({ state }: AutomationInput): JournaledCompaction | undefined {
  return state.compactions.findLast(({ record }) => record.trigger === 'automatic');
}

function isTriggeredBySize(input: AutomationInput): boolean {
  const { strategy, parameters, context, contextWindow } = input;
  const { aim, name } = strategy;
  if (aim) return context.tokens.total >= aim.startsAt(contextWindow, { ...aim.defaults, ...parameters[name] });
  return strategy.steps.some((step) => !step.startsByCount && outcomeOf(step, input).kind === 'planned');
}

function outcomeOf(step: Strategy, input: AutomationInput): PlanOutcome {
  const { context, contextWindow, conversation, state, floorTokens, parameters } = input;
  const { messages, tokens } = context;
  return step.plan(
    {
      messages,
      tokens,
      contextWindow,
      trigger: 'automatic',
      rejected: input.fruitless ?? new Set(),
      room: null,
      floorTokens,
      sinceCompaction: sinceCompaction(messages, conversation, state),
    },
    { ...step.defaults, ...parameters[step.name] },
  );
}

function nearlyTriggered(input: AutomationInput): AutomationDecision | null {
  const startsAt = startOf(input.strategy, input.contextWindow, input.parameters);
  if (startsAt === null || input.context.tokens.total < (startsAt * input.warnAtPercent) / 100) return null;
  return { kind: 'warn', startsAt };
}

/** The size at which the first of a strategy's steps starts by itself; null where none goes by size. */
export function startOf(
  { name, steps, aim }: StrategyChoice,
  contextWindow: number,
  parameters: Readonly<Record<string, Parameters>>,
): number | null {
  if (aim) return aim.startsAt(contextWindow, { ...aim.defaults, ...parameters[name] });
  const sizes = steps.flatMap(
    (step) => step.startsAt?.(contextWindow, { ...step.defaults, ...parameters[step.name] }) ?? [],
  );
  return sizes.length === 0 ? null : Math.max(0, Math.min(...sizes));
}

/** Codex tells its users the same after the first; one or two well-made blocks do little harm. */
const compactionsThatTell = 3;

/** How often this conversation was compacted, by the agent and by Strata, when that is often enough to tell a person. */
export function manyCompactions({ agentCompactions }: Conversation, { compactions }: JournalState): number | null {
  const runs = new Set(compactions.filter(isActive).map(({ record }) => record.run));
  const count = runs.size + agentCompactions.filter(({ kind }) => kind === 'summary').length;
  return count >= compactionsThatTell ? count : null;
}

function isActive({ active }: { record: CompactionRecord; active: boolean }): boolean {
  return active;
}
