import { contextSize, type Parameters, type PlanOutcome, planKey } from '../../block/plan';
import type { Strategy } from '../../block/strategy';
import type { Context, ContextMessage } from '../../conversation/context';
import type { Conversation } from '../../conversation/conversation';
import { toolCalls, toolResults } from '../../conversation/entry';
import type { JournaledCompaction, JournalState } from '../../journal/journal-state';
import { runsOf } from '../../journal/runs';
import { clearedContext, compactionSizes } from '../prepare/compaction-sizes';
import { automaticRoomOf, type StrategyChoice } from '../prepare/registry';
import { sinceCompaction } from '../prepare/since-compaction';
import { outlookOf } from './outlook';
import { decideSchedule, type Outlook, type ScheduleDecision } from './schedule';

export interface AutomationInput {
  readonly enabled: boolean;
  readonly strategy: StrategyChoice;
  readonly parameters: Readonly<Record<string, Parameters>>;
  readonly conversation: Conversation;
  readonly state: JournalState;
  readonly context: Context;
  readonly contextWindow: number;
  /** A context of at most this many tokens is not compacted, except by a strategy that starts by count. */
  readonly floorTokens: number;
  /** Tokens by which the context must grow after an automatic run before the next one that starts by size. */
  readonly pauseTokens: number;
  /** Percentage of the strategy's start size at which a warning is given. */
  readonly warnAtPercent: number;
  /** `cost`: where prices are known and if `betweenTurns`, the moment and the size that cost least. Absent: `size`. */
  readonly schedule?: 'size' | 'cost';
  /** The smallest size that a run by cost leaves: up to 1 a share of the window, above 1 tokens. Absent: the strategy's own target. */
  readonly smallestTarget?: number;
  /** ISO 8601, to tell how long a cache has had the prompt. Absent: prices count as unknown. */
  readonly now?: string;
  /** Whether a model writes the blocks, which costs. Absent: false. */
  readonly asksModel?: boolean;
  /** True if the caller knows that no turn is running, even if the newest turn has no answer. Absent: checked here. */
  readonly betweenTurns?: boolean;
  /** Keys of plans that came to nothing in the last automatic run (`dueByCount`). They start no further run. */
  readonly fruitless?: ReadonlySet<string>;
}

export type AutomationDecision =
  | { readonly kind: 'off' }
  /** Nothing to do now. */
  | { readonly kind: 'wait'; readonly reason: WaitReason }
  /** The request and those expected after it cost less without a compaction, and it fits. */
  | { readonly kind: 'wait'; readonly reason: 'dearer'; readonly schedule: ScheduleDecision }
  /** Automatic compaction will start soon. */
  | { readonly kind: 'warn'; readonly startsAt: number }
  /** By the size of the context, or by the number and age of turns and calls. */
  | { readonly kind: 'run'; readonly by: 'size' | 'count' }
  /** Compacting now costs less. `targetTokens`: for a strategy with a target. */
  | {
      readonly kind: 'run';
      readonly by: 'cost';
      readonly schedule: ScheduleDecision;
      readonly targetTokens?: number;
    };

type ClearingDecision = Extract<AutomationDecision, { readonly by: 'cost' }>;

type WaitReason = 'mid-turn' | 'below-floor' | 'paused' | 'not-triggered';

/** Decides whether automatic compaction starts now. Pure; the caller ensures that no other run is active. */
export function decideAutomation(input: AutomationInput): AutomationDecision {
  const due = dueDecision(input);
  const isOpen = due.kind === 'run' || due.kind === 'warn' || (due.kind === 'wait' && due.reason === 'not-triggered');
  return isOpen ? (costDecision(input, due) ?? due) : due;
}

/**
 * Decides whether output is cleared before a request within a turn: only if that costs less. Words are replaced between turns, because within
 * one the agent still works with them.
 */
export function decideClearing(input: AutomationInput): ClearingDecision | null {
  const { enabled, context, floorTokens, strategy, contextWindow, parameters } = input;
  const size = contextSize(context.tokens, contextWindow, input.asksModel ?? false);
  const mayClear = automaticRoomOf(strategy, size, parameters)?.clearing !== undefined;
  if (!enabled || !mayClear || context.tokens.total <= floorTokens || isPaused(input)) return null;
  const decision = costDecision(input, { kind: 'wait', reason: 'not-triggered' });
  return decision?.kind === 'run' && decision.by === 'cost' ? decision : null;
}

/** Null if cost does not decide: no outlook is known, or a strategy without a target has not been triggered. */
function costDecision(input: AutomationInput, due: AutomationDecision): AutomationDecision | null {
  const isDue = due.kind === 'run';
  const outlook = input.strategy.aim || isDue ? knownOutlook(input) : null;
  if (!outlook) return null;
  const planOf = (step: Strategy) => outcomeOf(step, input);
  const targets = compactionSizes(input, planOf);
  const mayPay = targets.some((target) => target < outlook.contextTokens);
  const cleared = mayPay ? clearedContext(input, planOf) : undefined;
  const decision = decideSchedule({ ...outlook, ...(cleared ? { cleared } : {}) }, targets);
  if (decision.kind === 'nothing-to-take' && !isDue) return { kind: 'wait', reason: 'not-triggered' };
  if (decision.kind !== 'pays') return { kind: 'wait', reason: 'dearer', schedule: decision };
  if (isPaused(input)) return { kind: 'wait', reason: 'paused' };
  const target = input.strategy.aim ? { targetTokens: decision.targetTokens } : {};
  return { kind: 'run', by: 'cost', schedule: decision, ...target };
}

function knownOutlook(input: AutomationInput): Outlook | null {
  const { schedule, betweenTurns = false, now, asksModel = false } = input;
  return schedule === 'cost' && betweenTurns && now !== undefined ? outlookOf({ ...input, now, asksModel }) : null;
}

/** Whether cost, not size, starts automatic compaction. */
export function startsByCost(input: AutomationInput): boolean {
  return input.strategy.aim !== undefined && knownOutlook(input) !== null;
}

function dueDecision(input: AutomationInput): AutomationDecision {
  const { enabled, context, floorTokens } = input;
  if (!enabled) return { kind: 'off' };
  const isBlocked = !input.betweenTurns && isMidTurn(context.messages);
  if (dueByCount(input).length > 0) {
    if (isBlocked) return { kind: 'wait', reason: 'mid-turn' };
    const isUndone = lastAutomatic(input)?.active === false;
    return isUndone && isPaused(input) ? { kind: 'wait', reason: 'paused' } : { kind: 'run', by: 'count' };
  }
  if (context.tokens.total <= floorTokens) return { kind: 'wait', reason: 'below-floor' };
  if (!isTriggeredBySize(input)) return nearlyTriggered(input) ?? { kind: 'wait', reason: 'not-triggered' };
  if (isBlocked) return { kind: 'wait', reason: 'mid-turn' };
  return isPaused(input) ? { kind: 'wait', reason: 'paused' } : { kind: 'run', by: 'size' };
}

/**
 * The plans that are due because enough turns or calls are old enough, by the key of their first message. Plans that
 * are still due after a run came to nothing in it.
 */
export function dueByCount(input: AutomationInput): readonly string[] {
  if (input.strategy.aim) return [];
  const steps = input.strategy.steps.filter(({ startsByCount }) => startsByCount);
  return steps.flatMap((step) => {
    const outcome = outcomeOf(step, { ...input, floorTokens: 0 });
    return outcome.kind === 'planned' ? outcome.plans.map(planKey) : [];
  });
}

/** A turn has ended when the agent has answered and waits for no tool. */
export function isMidTurn(messages: readonly ContextMessage[]): boolean {
  const last = messages.findLast((message) => message.kind !== 'core' && message.kind !== 'system');
  if (!last) return true;
  return last.role !== 'assistant' || toolCalls(last.parts).length > 0 || toolResults(last.parts).length > 0;
}

/**
 * After an automatic run the context must grow before the next one that starts by size, so that a strategy that saves
 * only a little each time does not rewrite the prompt again and again. An undone run pauses all strategies, because the
 * user did not want it. A compaction by the agent ends the pause.
 */
function isPaused(input: AutomationInput): boolean {
  const { context, pauseTokens, conversation } = input;
  const last = lastAutomatic(input);
  if (!last || conversation.agentCompactions.some(({ timestamp }) => (timestamp ?? '') > last.record.time))
    return false;
  const since = last.active ? last.record.contextTokens?.after : last.record.contextTokens?.before;
  return since !== undefined && context.tokens.total < since + pauseTokens;
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
  const { strategy, context, contextWindow, conversation, state, floorTokens, parameters } = input;
  const { messages, tokens } = context;
  const size = contextSize(tokens, contextWindow, input.asksModel ?? false);
  return step.plan(
    {
      messages,
      tokens,
      contextWindow,
      trigger: 'automatic',
      rejected: input.fruitless ?? new Set(),
      room: automaticRoomOf(strategy, size, parameters),
      floorTokens,
      sinceCompaction: sinceCompaction(messages, conversation, state),
      // Lengths of blocks depend on it. Here it only matters whether there would be any blocks.
      goalTokens: 0,
      asksModel: false,
    },
    { ...step.defaults, ...parameters[step.name] },
  );
}

function nearlyTriggered(input: AutomationInput): AutomationDecision | null {
  const startsAt = startOf(input.strategy, input.contextWindow, input.parameters);
  if (startsAt === null || input.context.tokens.total < (startsAt * input.warnAtPercent) / 100) return null;
  return { kind: 'warn', startsAt };
}

/** The smallest context size at which a step of the strategy starts automatically; null if none depends on size. */
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

/** Codex warns its users after the first compaction; one or two good blocks do little harm. */
const minCompactionsToWarn = 3;

/** Number of compactions by the agent and by Strata, if it is high enough to warn the user; otherwise null. */
export function manyCompactions({ agentCompactions }: Conversation, state: JournalState): number | null {
  const count =
    runsOf(state).filter(({ active }) => active).length +
    agentCompactions.filter(({ kind }) => kind === 'summary').length;
  return count >= minCompactionsToWarn ? count : null;
}
