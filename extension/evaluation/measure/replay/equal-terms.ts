import { type CompactionPlan, type Parameters, type PlanOutcome, replacedMessages } from '../../../engine/block/plan';
import type { Strategy } from '../../../engine/block/strategy';
import { type ContextMessage, tokensOf } from '../../../engine/conversation/context';
import { blockText } from '../../../engine/conversation/projection';
import { type CountTokens, tokensPerMessage } from '../../../engine/conversation/tokens';
import { sum } from '../../../engine/conversation/whole-tokens';
import { parameterOwners, type StrategyChoice } from '../../../engine/run/prepare/registry';

/** Limits for a run: its blocks and the entries that it leaves raw must fit the budget together. */
interface Terms {
  /** Tokens. */
  readonly budget: number;
  readonly countTokens: CountTokens;
  /** Tokens of an entry, by id. */
  readonly tokensOfEntry: (id: string) => number;
  /** Key of the live turn, which is not among the replaced entries. */
  readonly liveKey: string;
}

/** The same strategy with block lengths set by the budget. A strategy with an aim gets the budget as its target instead. */
export function onEqualTerms(choice: StrategyChoice, terms: Terms): StrategyChoice {
  if (choice.aim) return choice;
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
  const room = terms.budget - tokensOf(raw);
  const sizes = plans.map((plan) => replacedTokens(plan, terms));
  const whole = sum(sizes);
  // A later step may replace what is raw now. If none does, the run exceeds its budget regardless of its blocks.
  const given = room > 0 ? room : terms.budget;
  return {
    ...outcome,
    plans: plans.map((plan, at) => withLength(plan, (given * (sizes[at] ?? 0)) / Math.max(1, whole), terms)),
  };
}

/** Counts the original entries, also those that a block replaced already. */
function replacedTokens(plan: CompactionPlan, { tokensOfEntry }: Terms): number {
  const ids = replacedMessages(plan).flatMap(({ entryIds }) => entryIds);
  return ids.reduce((total, id) => total + tokensOfEntry(id), 0);
}

/** Minimum body size in tokens: headings and one sentence. */
const minBodyTokens = 24;

function withLength(plan: CompactionPlan, share: number, { countTokens }: Terms): CompactionPlan {
  const { summaryType, introduction } = plan;
  const before = blockText(summaryType, introduction === undefined ? '' : `${introduction}\n\n`);
  const around = tokensPerMessage + countTokens(before);
  return { ...plan, maxTokens: Math.max(minBodyTokens, Math.floor(share) - around) };
}

/** Share of the `codex` strategy's budget for the person’s messages, which it keeps verbatim. */
const shareOfPerson = 0.5;

/**
 * Parameters per strategy that make each replace what the agent replaced: everything older than the live turn, keeping
 * raw only what the budget allows.
 */
export function parametersFor(budget: number): Readonly<Record<string, Parameters>> {
  const owners = parameterOwners().map(({ name, defaults, keepingNothing }): [string, Parameters] => [
    name,
    { ...('keepRecentTokens' in defaults ? { keepRecentTokens: 0 } : {}), ...keepingNothing },
  ]);
  const parameters = Object.fromEntries(owners);
  return { ...parameters, codex: { ...parameters.codex, keepUserTokens: Math.floor(budget * shareOfPerson) } };
}
