import type { Conversation } from '../../extension/engine/conversation/conversation';
import { foldJournal, type JournalState } from '../../extension/engine/journal/journal-state';
import { exclusionOf, planExclusion } from '../../extension/engine/run/change/exclusion';
import type { PreparedRun } from '../../extension/engine/run/prepare/prepared-run';
import { prepareRunOf } from '../../extension/engine/run/prepare/run';
import { contextOf, emptyState, runInput } from './run';

/** Excludes the message with this key; null if that is refused. */
export async function exclude(
  conversation: Conversation,
  key: string,
  state: JournalState = emptyState,
): Promise<PreparedRun | null> {
  const plan = planExclusion(contextOf(conversation, state).messages, key);
  return plan.kind === 'excludes' ? await prepareRunOf(exclusionOf(plan), runInput(conversation, { state })) : null;
}

/** The state after the exclusion; the unchanged state if it was refused. */
export async function excluding(conversation: Conversation, key: string, state: JournalState): Promise<JournalState> {
  const run = await exclude(conversation, key, state);
  return foldJournal(run?.records ?? [], state);
}
