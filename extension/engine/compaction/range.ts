import { type CompactionPlan, type PlanOutcome, planKey, replacedTokens } from '../block/plan';
import { blockOf, type ContextMessage } from '../conversation/context';
import { joined, LocalizableError, localizable } from '../wording/localizable-text';

/** The part of the context that a person wants compacted, by message keys. Null: open at that end. */
export interface ContextRange {
  /** The first message that may be replaced. */
  readonly from: string | null;
  /** The first message after the range. */
  readonly upTo: string | null;
}

/** Ids of the entries within a range. Throws if a message at an end of it is no longer in the context. */
export function entriesInRange(messages: readonly ContextMessage[], { from, upTo }: ContextRange): ReadonlySet<string> {
  const start = from === null ? 0 : indexOf(messages, from);
  const end = upTo === null ? messages.length : indexOf(messages, upTo);
  return new Set(messages.slice(start, end).flatMap((message) => message.entryIds));
}

function indexOf(messages: readonly ContextMessage[], key: string): number {
  const index = messages.findIndex((message) => message.key === key);
  if (index === -1)
    throw new LocalizableError(
      localizable('The message that the range begins or ends with is no longer in the context.'),
    );
  return index;
}

/** Reduces a strategy's plans to the turns that lie completely within the range. */
export function withinRange(
  outcome: PlanOutcome,
  range: ReadonlySet<string>,
  rejected: ReadonlySet<string>,
): PlanOutcome {
  if (outcome.kind !== 'planned') return outcome;
  const plans = outcome.plans
    .flatMap((plan) => narrowed(plan, range) ?? [])
    .filter((plan) => !rejected.has(planKey(plan)));
  return plans.length === 0 ? { kind: 'outside-range' } : { ...outcome, plans };
}

/** Blocks that remain of a plan are not summarised again on their own. */
function isUnsummarized(message: ContextMessage): boolean {
  return !blockOf(message) && message.kind !== 'summary';
}

function narrowed(plan: CompactionPlan, range: ReadonlySet<string>): CompactionPlan | null {
  const turns = plan.turns.filter(({ replaced }) =>
    replaced.every(({ entryIds }) => entryIds.every((id) => range.has(id))),
  );
  if (turns.length === plan.turns.length) return plan;
  if (!turns.some(({ replaced }) => replaced.some(isUnsummarized))) return null;
  // The count of history entries was for the whole plan.
  const { entriesSummarized: _, maxTokens, ...rest } = plan;
  const smaller = { ...rest, turns, reason: joined(plan.reason, localizable('Only the chosen range of it.')) };
  if (maxTokens === undefined) return smaller;
  const share = replacedTokens(smaller) / replacedTokens(plan);
  return { ...smaller, maxTokens: Math.max(1, Math.round(maxTokens * share)) };
}
