import type { CompactionPlan, PlanInput, PlannedTurn, PlanOutcome } from '../../engine/block/plan';
import { counted, smallestWorthwhile, tokensOf } from '../../engine/block/strategy';
import { openerOf, segmentsOf } from '../../engine/conversation/turns';
import type { StrategyChoice } from '../../engine/run/registry';
import { haloOf } from '../../engine/strategies/halo';

/** Its blocks are those of the policy, which goes by a number of entries instead of by size. */
const strategy = 'sliding-window';
const summaryType = 'sliding_window';

/**
 * The oldest turns give way to a line that says how much is gone, until no more than `mostTokens` are left. It needs no words of
 * theirs, so nothing that is finished keeps a request from fitting. Blocks go with their turns; the live turn stays.
 */
export function discarding(mostTokens: number): StrategyChoice {
  const title = 'Sliding window';
  const description = 'Discards the oldest turns, until the context fits.';
  const step = {
    ...{ name: strategy, title, description, defaults: {} },
    plan: (input: PlanInput) => planOf(input, mostTokens),
    write: async ({ plan }: { readonly plan: CompactionPlan }) => ({
      body: `[${counted(plan.entriesSummarized ?? 0, 'earlier message')} discarded]`,
      spans: [],
      tokensSpent: { input: 0, output: 0 },
      promptHash: null,
      writer: { name: strategy, model: null },
    }),
  };
  return { name: strategy, group: 'policies', title, description, steps: [step] };
}

function planOf(input: PlanInput, mostTokens: number): PlanOutcome {
  const tooMany = tokensTooMany(input, mostTokens);
  if (tooMany <= 0) return { kind: 'nothing-to-compact' };
  const turns = oldestTurns(input, tooMany + smallestWorthwhile);
  const replaced = turns.flatMap((turn) => turn.replaced);
  const [first] = replaced;
  if (!first) return { kind: 'protected' };
  if (input.rejected.has(first.key)) return { kind: 'too-small' };
  const entriesSummarized = new Set(replaced.flatMap(({ entryIds }) => entryIds)).size;
  const reason = `The oldest ${counted(turns.length, 'turn')} (${tokensOf(replaced)} tokens), so that the next request fits.`;
  const plan = { strategy, parameters: {}, summaryType, sections: [], turns, reason, entriesSummarized };
  return { kind: 'planned', plans: [plan] };
}

/** In counted tokens. A report that is too low makes nothing smaller than it is by the tokenizer. */
function tokensTooMany({ messages, tokens }: PlanInput, mostTokens: number): number {
  return Math.max((tokens.total - mostTokens) / tokens.calibration, tokensOf(messages) - mostTokens);
}

/** As many as have so many tokens, or all but the live one. */
function oldestTurns({ messages }: PlanInput, tokens: number): PlannedTurn[] {
  const turns: PlannedTurn[] = [];
  let taken = 0;
  for (const segment of segmentsOf(messages).slice(0, -1)) {
    if (taken >= tokens) break;
    const replaced = haloOf(messages, segment);
    taken += tokensOf(replaced);
    if (replaced.length > 0) turns.push({ user: openerOf(messages, segment), replaced });
  }
  return turns;
}
