import { type CompactionPlan, type Parameters, type PlanOutcome, replacedMessages } from '../../../engine/block/plan';
import type { Strategy } from '../../../engine/block/strategy';
import type { ContextMessage } from '../../../engine/conversation/context';
import { blockText } from '../../../engine/conversation/projection';
import { type CountTokens, tokensPerMessage } from '../../../engine/conversation/tokens';
import type { StrategyChoice } from '../../../engine/run/registry';

/** What all blocks of a run together, and what it leaves raw, may take. */
export interface Terms {
  /** Tokens. */
  readonly budget: number;
  readonly countTokens: CountTokens;
  /** Of an entry, by its id. */
  readonly tokensOfEntry: (id: string) => number;
  /** What is not among the replaced entries: its key. */
  readonly liveKey: string;
}

/** A strategy that plans as ever, and whose blocks are as long as the budget allows. */
export function onEqualTerms(choice: StrategyChoice, terms: Terms): StrategyChoice {
  return { ...choice, steps: choice.steps.map((step) => stepOnTerms(step, terms)) };
}

function stepOnTerms(step: Strategy, terms: Terms): Strategy {
  return {
    ...step,
    plan: (input, parameters) => withLengths(step.plan(input, parameters), input.messages, terms),
  };
}

function withLengths(outcome: PlanOutcome, messages: readonly ContextMessage[], terms: Terms): PlanOutcome {
  if (outcome.kind !== 'planned') return outcome;
  const plans = outcome.plans;
  const touched = new Set(plans.flatMap(replacedMessages));
  const raw = messages.filter((message) => !touched.has(message) && message.key !== terms.liveKey);
  const room = terms.budget - raw.reduce((total, { tokens }) => total + tokens, 0);
  const sizes = plans.map((plan) => tokensBeneath(plan, terms));
  const whole = sizes.reduce((total, size) => total + size, 0);
  // What stays raw now may go with a later step; otherwise the run is over its budget whatever its blocks take.
  const given = room > 0 ? room : terms.budget;
  return {
    ...outcome,
    plans: plans.map((plan, at) => withLength(plan, (given * (sizes[at] ?? 0)) / Math.max(1, whole), terms)),
  };
}

/** Of the entries themselves, also where a block stands over them already. */
function tokensBeneath(plan: CompactionPlan, { tokensOfEntry }: Terms): number {
  const ids = replacedMessages(plan).flatMap(({ entryIds }) => entryIds);
  return ids.reduce((total, id) => total + tokensOfEntry(id), 0);
}

/** A shorter body than this has no room for a sentence under its headings, in tokens. */
const shortestBody = 24;

function withLength(plan: CompactionPlan, share: number, { countTokens }: Terms): CompactionPlan {
  const { summaryType, introduction } = plan;
  const before = blockText(summaryType, introduction === undefined ? '' : `${introduction}\n\n`);
  const around = tokensPerMessage + countTokens(before);
  return { ...plan, maxTokens: Math.max(shortestBody, Math.floor(share) - around) };
}

/** Half of what Codex’s manner may take goes to the person’s messages that it keeps verbatim. */
const shareOfPerson = 0.5;

/**
 * Parameters, by strategy, under which each replaces what the agent replaced: all that is older than the live turn, and
 * of what it keeps raw only what the budget allows. The live turn counts as one entry of a history.
 */
export function parametersFor(budget: number): Readonly<Record<string, Parameters>> {
  const noTail = { keepRecentTokens: 0 };
  return {
    checkpoint: noTail,
    naive: noTail,
    codex: { ...noTail, keepUserTokens: Math.floor(budget * shareOfPerson) },
    'hierarchical-summary': noTail,
    'a-mem': noTail,
    observations: noTail,
    'protected-core': noTail,
    hybrid: noTail,
    handoff: noTail,
    'tool-calls': { messagesOldThreshold: 0, minToolCallsToSummarize: 1, maxToolCallDistance: 0 },
    threshold: { messagesOldThreshold: 0 },
    'goal-batch': { minTurnsOldThreshold: 0, minTurnsToCompact: 1 },
    prune: { protectTokens: 0, protectTurns: 1 },
    llm: { min_entries_to_compact: 1, preserve_last_n: 1 },
    deterministic: { preserve_last_n: 1 },
    'sliding-window': { window_size: 1 },
    hierarchical: { recent_window: 1 },
  };
}
