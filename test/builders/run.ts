import { foldJournal, type JournalState } from '../../extension/engine/compaction/journal-state';
import { overlayOf } from '../../extension/engine/compaction/overlay';
import { type PreparedRun, prepareRun, type RunInput } from '../../extension/engine/compaction/run';
import type { Context } from '../../extension/engine/conversation/context';
import type { Conversation } from '../../extension/engine/conversation/conversation';
import { project } from '../../extension/engine/conversation/projection';
import { extractiveSummarizer } from '../../extension/summarizers/extractive/extractive';
import { quickLedger } from './conversation';

export const emptyState: JournalState = foldJournal([]);
const ledger = quickLedger();

export function compact(conversation: Conversation, changes: Partial<RunInput> = {}): Promise<PreparedRun> {
  return prepareRun({
    conversation,
    state: emptyState,
    strategy: 'pipeline',
    parameters: {},
    contextWindow: 200_000,
    trigger: 'manual',
    instructions: null,
    summarizer: extractiveSummarizer,
    ledger,
    now: () => '2026-01-01T00:00:00.000Z',
    clock: () => 0,
    signal: new AbortController().signal,
    ...changes,
  });
}

export function contextOf(conversation: Conversation, state: JournalState = emptyState): Context {
  return project(conversation, overlayOf(state, conversation), ledger);
}
