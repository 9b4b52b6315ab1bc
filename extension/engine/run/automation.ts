import type { Parameters } from '../block/plan';
import type { Context, ContextMessage } from '../conversation/context';
import type { Conversation } from '../conversation/conversation';
import { toolCalls, toolResults } from '../conversation/entry';
import type { CompactionRecord } from '../journal/journal';
import type { JournalState } from '../journal/journal-state';
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
  /** A context of this many tokens or fewer is left alone. */
  readonly floorTokens: number;
  /** What must have been added since the last automatic run before the next one, in tokens. */
  readonly pauseTokens: number;
  /** The share of the size at which a strategy starts that is worth a warning, in percent. */
  readonly warnAtPercent: number;
  /** The caller knows that no turn is under way, though the newest one may have come to nothing. Absent: look. */
  readonly betweenTurns?: boolean;
}

export type AutomationDecision =
  | { readonly kind: 'off' }
  /** Nothing to do now; for tests and the log, why. */
  | { readonly kind: 'wait'; readonly reason: WaitReason }
  /** It will start by itself before long. */
  | { readonly kind: 'warn'; readonly startsAt: number }
  | { readonly kind: 'run' };

export type WaitReason = 'mid-turn' | 'below-floor' | 'paused' | 'not-triggered';

/** Whether a compaction starts by itself now. Pure; the caller sees to it that no other run is under way. */
export function decideAutomation(input: AutomationInput): AutomationDecision {
  const { enabled, context, floorTokens } = input;
  if (!enabled) return { kind: 'off' };
  if (context.tokens.total <= floorTokens) return { kind: 'wait', reason: 'below-floor' };
  const blocked = !input.betweenTurns && isMidTurn(context.messages) ? 'mid-turn' : isPaused(input) ? 'paused' : null;
  if (!isTriggered(input)) return nearlyTriggered(input) ?? { kind: 'wait', reason: 'not-triggered' };
  return blocked ? { kind: 'wait', reason: blocked } : { kind: 'run' };
}

/** A turn is over when the agent has answered and waits for no tool. */
export function isMidTurn(messages: readonly ContextMessage[]): boolean {
  const last = messages.findLast((message) => message.kind !== 'core' && message.kind !== 'system');
  if (!last) return true;
  return last.role !== 'assistant' || toolCalls(last.parts).length > 0 || toolResults(last.parts).length > 0;
}

/**
 * After an automatic run the context has to grow before the next one, so that a strategy that can save only a little
 * each time does not rewrite the prompt over and over. An undo counts as a run: the person did not want it. What the
 * agent compacts itself begins anew.
 */
function isPaused({ state, context, pauseTokens, conversation }: AutomationInput): boolean {
  const last = state.compactions.findLast(({ record }) => record.trigger === 'automatic');
  if (!last || conversation.agentCompactions.some(({ timestamp }) => (timestamp ?? '') > last.record.time))
    return false;
  const since = last.active ? last.record.contextTokens?.after : last.record.contextTokens?.before;
  return since !== undefined && context.tokens.total < since + pauseTokens;
}

function isTriggered({
  strategy,
  parameters,
  context,
  contextWindow,
  conversation,
  state,
  floorTokens,
}: AutomationInput) {
  const { aim, name } = strategy;
  if (aim) return context.tokens.total >= aim.startsAt(contextWindow, { ...aim.defaults, ...parameters[name] });
  return strategy.steps.some((step) => {
    const outcome = step.plan(
      {
        messages: context.messages,
        tokens: context.tokens,
        contextWindow,
        trigger: 'automatic',
        rejected: new Set(),
        room: null,
        floorTokens,
        sinceCompaction: sinceCompaction(context.messages, conversation, state),
      },
      { ...step.defaults, ...parameters[step.name] },
    );
    return outcome.kind === 'planned';
  });
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
