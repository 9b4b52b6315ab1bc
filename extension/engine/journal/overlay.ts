import type { Conversation } from '../conversation/conversation';
import { isPrompt, textOf } from '../conversation/entry';
import { intactBlocks, type Overlay } from '../conversation/projection';
import { type CoreState, coreState, coreText } from '../core/core';
import { excludedEntries } from './excluded';
import { type JournalState, standingBlocks } from './journal-state';

/** What the journal adds to the conversation at present. */
export function overlayOf(state: JournalState, conversation: Conversation): Overlay {
  const blocks = intactBlocks(conversation.agentContext, standingBlocks(state));
  return { blocks, core: coreOf(state, conversation, new Set(blocks.flatMap((block) => block.entryIds))) };
}

/** The core as it will stand once these entries, too, lie beneath a block. */
export function coreWithout(
  state: JournalState,
  conversation: Conversation,
  beneath: ReadonlySet<string>,
  ids: readonly string[],
): CoreState | null {
  const goal = originalGoal(conversation);
  const isBeneath = goal !== null && (beneath.has(goal.entryId) || ids.includes(goal.entryId));
  return coreOf(state, conversation, isBeneath ? new Set([goal.entryId]) : new Set(ids.slice(0, 1)));
}

/**
 * The core stands in the context as soon as something was pinned or compacted. The original goal is part of it once
 * its own entry is gone from the context: said once, verbatim, either there or here.
 */
function coreOf(state: JournalState, conversation: Conversation, beneath: ReadonlySet<string>): CoreState | null {
  const pinned = state.items.some((item) => item.status === 'active');
  if (!pinned && beneath.size === 0) return null;
  const goal = notTakenOut(originalGoal(conversation), excludedEntries(state, conversation));
  const stillSaid = goal !== null && isStillSaid(goal, conversation, beneath);
  const core = coreState(state.items, goal !== null && !stillSaid ? goal.text : null);
  return isEmpty(core) || isSaidIn(conversation, coreText(core)) ? null : core;
}

function notTakenOut<G extends { readonly entryId: string }>(goal: G | null, excluded: ReadonlySet<string>): G | null {
  return goal !== null && excluded.has(goal.entryId) ? null : goal;
}

/** What was written into the agent's own session stands there already: said once, verbatim, either there or here. */
function isSaidIn({ agentContext }: Conversation, text: string): boolean {
  return agentContext.some((entry) => (entry.summary ?? entry.injected) && textOf(entry.parts).includes(text));
}

/** By its own entry, or by one that repeats it: an agent may go on with copies of what was said. */
function isStillSaid(
  goal: { readonly entryId: string; readonly text: string },
  { agentContext }: Conversation,
  beneath: ReadonlySet<string>,
): boolean {
  return agentContext.some(
    (entry) =>
      !beneath.has(entry.id) &&
      (entry.id === goal.entryId || (isPrompt(entry) && textOf(entry.parts).trim() === goal.text)),
  );
}

function isEmpty(core: CoreState): boolean {
  return (
    core.original_goal === null &&
    core.current_goal === null &&
    core.hard_constraints.length === 0 &&
    core.key_decisions.length === 0
  );
}

/** A first message with a whole file pasted into it is more than a goal. In UTF-16 units. */
const longestGoal = 4000;

/** The person's first words; null where the session file does not go back to them. */
export function originalGoal({
  entries,
  agentContext,
  agentCompactions,
  beginsMidway,
}: Conversation): { entryId: string; text: string } | null {
  if (beginsMidway) return null;
  // What the person edited away is on another branch; only an agent's own compaction takes the first words out.
  const said = agentCompactions.length === 0 ? agentContext : entries;
  const first = said.find(isPrompt);
  const text = first ? textOf(first.parts).trim() : '';
  if (!first || text === '') return null;
  return { entryId: first.id, text: text.length <= longestGoal ? text : beginning(text) };
}

/** Ends with a paragraph where that is not too early, else with a word, and says that there is more. */
function beginning(text: string): string {
  const head = text.slice(0, longestGoal);
  const paragraph = head.lastIndexOf('\n\n');
  const end = paragraph > longestGoal / 2 ? paragraph : Math.max(head.lastIndexOf(' '), longestGoal / 2);
  return `${head.slice(0, end).trimEnd()}\n[… the first message goes on in the session]`;
}
