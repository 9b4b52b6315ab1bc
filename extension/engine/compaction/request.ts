import type { ContextMessage } from '../conversation/context';
import type { Conversation } from '../conversation/conversation';
import { type Entry, textOf } from '../conversation/entry';
import type { CountTokens } from '../conversation/tokens';
import { type CompactionPlan, type PlannedTurn, replacedTokens } from './plan';
import { type RequestedTurn, type SummaryRequest, sectionNames } from './summary';

/** A block is meant to be a fifth of what it replaces, within bounds that keep it useful and readable. */
const shareOfReplaced = 0.2;
const bodyTokens = { least: 160, most: 1600 };

/** What a summarizer is given for a plan: the replaced entries themselves, also those beneath swallowed blocks. */
export function buildRequest(
  plan: CompactionPlan,
  entryOf: EntryLookup,
  instructions: string | null,
  countTokens: CountTokens,
): SummaryRequest {
  return {
    summaryType: plan.summaryType,
    sections: sectionNames[plan.summaryType],
    turns: plan.turns.map((turn) => requestedTurn(turn, entryOf)),
    instructions,
    maxTokens: Math.round(
      Math.min(bodyTokens.most, Math.max(bodyTokens.least, replacedTokens(plan) * shareOfReplaced)),
    ),
    countTokens,
  };
}

function requestedTurn({ user, replaced }: PlannedTurn, entryOf: EntryLookup): RequestedTurn {
  const userEntry = user ? (entryOf(user.key) ?? null) : null;
  const entries = replaced.flatMap((message) => message.entryIds.flatMap((id) => entryOf(id) ?? []));
  return {
    user: userEntry,
    entries: entries.filter((entry) => entry !== userEntry),
    blocks: replaced.filter(isBlock).map((message) => textOf(message.parts)),
  };
}

function isBlock(message: ContextMessage): boolean {
  return message.block !== undefined;
}

export type EntryLookup = (id: string) => Entry | undefined;

/** The entries as the agent would send them; an original only where the agent no longer sends it at all. */
export function entriesById({ entries, agentContext }: Conversation): EntryLookup {
  const known = new Map(entries.map((entry) => [entry.id, entry]));
  for (const entry of agentContext) known.set(entry.id, entry);
  return (id) => known.get(id);
}

/** Every entry beneath the replaced messages, in order. */
export function replacedEntries(request: SummaryRequest, plan: CompactionPlan): Entry[] {
  const withUser = plan.summaryType === 'goal_batch';
  return request.turns.flatMap(({ user, entries }) => (withUser && user ? [user, ...entries] : [...entries]));
}
