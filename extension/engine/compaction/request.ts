import { type CompactionPlan, type PlannedTurn, replacedMessages, replacedTokens } from '../block/plan';
import { isRaw } from '../block/strategy';
import type { RequestedBlock, RequestedTurn, SummaryRequest } from '../block/summary';
import { type ContextMessage, tokensOf } from '../conversation/context';
import type { Conversation } from '../conversation/conversation';
import { type Entry, textOf } from '../conversation/entry';
import { oncePer, sameList } from '../conversation/once-per';
import type { CountTokens } from '../conversation/tokens';
import type { CoreState } from '../core/core';

/** A block should take this share of what it replaces, within the bounds below. */
const shareOfReplaced = 0.2;

/** The same share for earlier blocks, which are short already. */
const shareOfBlocks = 0.7;
const bodyTokens = { least: 160, most: 3200 };

/** The request for a plan: the replaced entries themselves, including those beneath swallowed blocks. */
export function buildRequest(
  plan: CompactionPlan,
  { known, isByModel, isExtract, ...around }: RequestSurroundings,
): SummaryRequest {
  return {
    summaryType: plan.summaryType,
    sections: plan.sections,
    turns: plan.turns.map((turn) => requestedTurn(turn, known, isByModel)),
    maxTokens: isExtract ? lengthOfExtract(plan) : bodyLimit(plan),
    ...around,
  };
}

/** A body may grow by a quarter when something is put back into it, and a block has a tag and an introduction. */
export const shareOfBody = 0.78;

/** Counted tokens of a tag and an introduction. */
const aroundBody = 70;

/** Without this limit, a quoting block would fill the room of what it replaces and save nothing. */
const mostOfReplaced = 0.6;

/** Nothing is put back into an extract, so it may have the room that is kept free for that. */
function lengthOfExtract(plan: CompactionPlan): number {
  const maxTokens = Math.min(bodyLimit(plan), Math.floor(replacedTokens(plan) * mostOfReplaced));
  const { limitTokens } = plan;
  if (limitTokens === undefined) return maxTokens;
  return Math.max(maxTokens, Math.min(Math.floor(maxTokens / shareOfBody), limitTokens - aroundBody));
}

/** The parts of a request that do not come from the plan. */
interface RequestSurroundings {
  readonly known: KnownEntries;
  /** Whether a model wrote the block with this seq. */
  readonly isByModel: (seq: number) => boolean;
  readonly instructions: string | null;
  readonly core: CoreState | null;
  readonly liveGoal: string | null;
  readonly context: readonly Entry[];
  readonly countTokens: CountTokens;
  readonly recallTool?: string;
  /** The summary is made without a model. */
  readonly isExtract: boolean;
}

/** Maximum tokens of the body: as the strategy sets it, else a share of what the block replaces. */
export function bodyLimit(plan: CompactionPlan): number {
  if (plan.maxTokens !== undefined) return plan.maxTokens;
  return withinBody(usualLength(replacedMessages(plan)));
}

/** Counted tokens of a text over these messages that is neither padded nor shortened without need. */
export function usualLength(replaced: readonly ContextMessage[]): number {
  const raw = tokensOf(replaced.filter(isRaw));
  return raw * shareOfReplaced + (tokensOf(replaced) - raw) * shareOfBlocks;
}

/** Maximum tokens of the body of a block over so many tokens, where its strategy sets none. */
export function usualBodyLimit(tokens: number): number {
  return withinBody(tokens * shareOfReplaced);
}

function withinBody(tokens: number): number {
  return Math.round(Math.min(bodyTokens.most, Math.max(bodyTokens.least, tokens)));
}

function requestedTurn(
  { user, replaced }: PlannedTurn,
  known: KnownEntries,
  isByModel: RequestSurroundings['isByModel'],
): RequestedTurn {
  const userEntry = user ? (known.find(user.key) ?? null) : null;
  const entries = known.inOrder(replaced.flatMap(({ entryIds }) => entryIds));
  return {
    user: userEntry,
    userIsReplaced: user !== null && replaced.includes(user),
    entries: entries.filter((entry) => entry !== userEntry),
    blocks: replaced.flatMap((message) => blockIn(message, isByModel)),
  };
}

function blockIn(
  { block, parts, entryIds }: ContextMessage,
  isByModel: RequestSurroundings['isByModel'],
): RequestedBlock[] {
  return block === undefined ? [] : [{ text: textOf(parts), entryIds, isByModel: isByModel(block.seq) }];
}

export interface KnownEntries {
  find(id: string): Entry | undefined;
  /** In the order of the conversation: a block over tool calls comes before the replies between them. */
  inOrder(ids: readonly string[]): Entry[];
}

/**
 * Looks up entries as the agent would send them, or the original if the agent no longer sends it. Excluded entries are
 * not found.
 */
export function entriesById(
  { entries, agentContext }: Conversation,
  excluded: ReadonlySet<string> = new Set(),
): KnownEntries {
  const all = new Map(entries.map((entry) => [entry.id, entry]));
  for (const entry of agentContext) all.set(entry.id, entry);
  const places = new Map([...all.keys()].map((id, place) => [id, place]));
  const find = (id: string) => (excluded.has(id) ? undefined : all.get(id));
  const placeOf = (id: string) => places.get(id) ?? 0;
  return { find, inOrder: (ids) => ids.toSorted((a, b) => placeOf(a) - placeOf(b)).flatMap((id) => find(id) ?? []) };
}

/** All entries beneath the replaced messages, in order. */
export const replacedEntries = oncePer(({ turns }: SummaryRequest): readonly Entry[] =>
  sameList(
    turns.flatMap(({ user, userIsReplaced, entries }) => (user && userIsReplaced ? [user, ...entries] : entries)),
  ),
);
