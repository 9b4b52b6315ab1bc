import { commonPrefixLength } from '../conversation/common-prefix';
import type { Conversation } from '../conversation/conversation';
import { type Entry, isPrompt, textOf } from '../conversation/entry';
import { isInterruption } from '../conversation/interruption';
import { emptyOverlay, type Overlay } from '../conversation/projection';
import { type CoreState, coreState, coreText, goalContinues, isEmptyCore, originalGoalId } from '../core/core';
import { originalGoalStatus } from '../core/items';
import { blocksInContext } from './context-blocks';
import { excludedEntries } from './excluded';
import type { JournalState } from './journal-state';

/** The present additions of the journal to the conversation. */
export function overlayOf(state: JournalState, conversation: Conversation): Overlay {
  const { blocks, entryIds } = blocksInContext(state, conversation.agentContext);
  return { blocks, core: coreOf(state, conversation, entryIds) };
}

/** The context with which the agent itself continues: the compactions that took effect in it, and the core that they contained. */
export function overlayInAgent(state: JournalState, conversation: Conversation): Overlay {
  const compactions = state.compactions.filter(({ record }) => record.effect === 'agent');
  const newest = compactions.findLast(({ active }) => active)?.record;
  if (newest === undefined) return emptyOverlay;
  const items = state.items.filter(({ timestamp }) => timestamp <= newest.time);
  return overlayOf({ ...state, compactions, items }, conversation);
}

/** The core as it is once a block also covers these entries. */
export function coreWithout(
  state: JournalState,
  conversation: Conversation,
  coveredIds: ReadonlySet<string>,
  ids: readonly string[],
): CoreState | null {
  const goal = activeOriginalGoal(state, conversation);
  const isBeneath = goal !== null && (coveredIds.has(goal.entryId) || ids.includes(goal.entryId));
  const also = new Set(ids);
  const isGone = (id: string) => coveredIds.has(id) || also.has(id);
  return coreOf(state, conversation, isBeneath ? new Set([goal.entryId]) : new Set(ids.slice(0, 1)), isGone);
}

/**
 * The core is in the context once something was pinned or compacted. It includes the original goal once the user's own
 * message is no longer in the context, so that the goal is stated exactly once.
 */
function coreOf(
  state: JournalState,
  conversation: Conversation,
  coveredIds: ReadonlySet<string>,
  isGone: (id: string) => boolean = (id) => coveredIds.has(id),
): CoreState | null {
  const pinned = state.items.some((item) => item.status === 'active');
  if (!pinned && coveredIds.size === 0) return null;
  const goal = unlessExcluded(activeOriginalGoal(state, conversation), excludedEntries(state, conversation));
  const isStated = goal !== null && isStillStated(goal, state, conversation, coveredIds);
  const core = coreState(state.items, goal !== null && !isStated ? goal.text : null);
  return isEmptyCore(core) || isStatedIn(conversation, coreText(core), isGone) ? null : core;
}

/** The original goal unless the person marked it done: then it leaves the core, as done items do. */
export function activeOriginalGoal(state: JournalState, conversation: Conversation): OriginalGoal | null {
  const goal = originalGoalIn(state, conversation);
  return goal?.status === 'done' ? null : goal;
}

/** The original goal, with the person's decision about it. */
export interface OriginalGoal {
  /** Names it to `changeItem`. */
  readonly id: typeof originalGoalId;
  readonly entryId: string;
  readonly text: string;
  readonly status: 'active' | 'done';
  /** A newer goal was confirmed, and it is undecided whether this one is over. Only a person decides. */
  readonly isProposedDone: boolean;
}

export function originalGoalIn(state: JournalState, conversation: Conversation): OriginalGoal | null {
  const goal = originalGoal(conversation);
  if (goal === null) return null;
  const decided = originalGoalStatus(state.itemHistory.get(originalGoalId) ?? []);
  const hasNewer = state.items.some(
    ({ kind, status, text, entryId }) =>
      kind === 'goal' &&
      status !== 'proposed' &&
      status !== 'refused' &&
      text.trim() !== goal.text &&
      entryId !== goal.entryId,
  );
  const status = decided === 'done' ? 'done' : 'active';
  return { ...goal, id: originalGoalId, status, isProposedDone: decided === null && hasNewer };
}

function unlessExcluded<G extends { readonly entryId: string }>(
  goal: G | null,
  excluded: ReadonlySet<string>,
): G | null {
  return goal !== null && excluded.has(goal.entryId) ? null : goal;
}

/** Whether the agent's own remaining messages already contain the core. It must not occur in the context twice. */
function isStatedIn({ agentContext }: Conversation, text: string, isGone: (id: string) => boolean): boolean {
  return agentContext.some(
    (entry) => (entry.summary ?? entry.injected) && !isGone(entry.id) && textOf(entry.parts).includes(text),
  );
}

interface Goal {
  readonly entryId: string;
  readonly text: string;
}

/** Whether the goal is stated by its own entry or by a copy: an agent may continue with copies of messages. */
function isStillStated(
  goal: Goal,
  state: JournalState,
  { agentContext }: Conversation,
  coveredIds: ReadonlySet<string>,
): boolean {
  return statementsIn(goal, state, agentContext).some((id) => !coveredIds.has(id));
}

interface Statements {
  readonly goal: Goal;
  readonly entries: readonly Entry[];
  readonly ids: readonly string[];
}

/** Caches the newest answer per state, so that no entry of a growing context is checked again. */
const knownStatements = new WeakMap<JournalState, Statements>();

function statementsIn(goal: Goal, state: JournalState, entries: readonly Entry[]): readonly string[] {
  const before = knownStatements.get(state);
  const isSameGoal = before?.goal.entryId === goal.entryId && before.goal.text === goal.text;
  const isLonger = isSameGoal && commonPrefixLength(before.entries, entries) === before.entries.length;
  const known = isLonger ? before.ids : [];
  const added = entries.slice(isLonger ? before.entries.length : 0).filter((entry) => states(entry, goal));
  const ids = known.concat(added.map(({ id }) => id));
  knownStatements.set(state, { goal, entries, ids });
  return ids;
}

function states(entry: Entry, goal: Goal): boolean {
  return entry.id === goal.entryId || (isPrompt(entry) && textOf(entry.parts).trim() === goal.text);
}

/** In UTF-16 units. A first message with a whole file in it is more than a goal. */
const maxGoalLength = 4000;

/** The user's first message that asked for something, as far as the file contains the session. */
export function originalGoal({
  entries,
  agentContext,
  agentCompactions,
}: Conversation): { entryId: string; text: string } | null {
  // A message that the user edited is on another branch. Only compactions by the agent remove the first message itself.
  const candidates = agentCompactions.length === 0 ? agentContext : entries;
  const first = firstRequest(candidates);
  const text = first ? textOf(first.parts).trim() : '';
  if (!first || text === '') return null;
  return { entryId: first.id, text: text.length <= maxGoalLength ? text : beginning(text) };
}

/**
 * The first message that was not withdrawn. If it started no tool call, it may be a greeting: then it is the first
 * message that did, if that is at least twice as long. A plan that is answered in words stays the goal if only "go
 * ahead" follows.
 */
function firstRequest(entries: readonly Entry[]): Entry | undefined {
  const first = firstNotWithdrawn(entries);
  if (first === undefined) return undefined;
  let prompt = first;
  for (let index = entries.indexOf(first) + 1; index < entries.length; index += 1) {
    const entry = entries[index];
    if (entry === undefined) break;
    if (isPrompt(entry)) prompt = entry;
    else if (entry.parts.some(({ type }) => type === 'tool_call'))
      return lengthOf(prompt) >= 2 * lengthOf(first) ? prompt : first;
  }
  return first;
}

function lengthOf({ parts }: Entry): number {
  return textOf(parts).trim().length;
}

/** Not a request that the user stopped and replaced by another one. */
function firstNotWithdrawn(entries: readonly Entry[]): Entry | undefined {
  let prompt: Entry | undefined;
  let isStopped = false;
  for (const entry of entries) {
    if (isPrompt(entry)) {
      if (prompt !== undefined && !isStopped) return prompt;
      prompt = entry;
      isStopped = false;
    } else isStopped = isInterruption(entry) || (isStopped && entry.role !== 'assistant');
  }
  return prompt;
}

/** Cuts at the end of a paragraph if it is not too early, otherwise after a word, and marks the cut. */
function beginning(text: string): string {
  const head = text.slice(0, maxGoalLength);
  const paragraph = head.lastIndexOf('\n\n');
  const end = paragraph > maxGoalLength / 2 ? paragraph : Math.max(head.lastIndexOf(' '), maxGoalLength / 2);
  return `${head.slice(0, end).trimEnd()}\n${goalContinues}`;
}
