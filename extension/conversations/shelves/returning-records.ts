import type { Conversation } from '../../engine/conversation/conversation';
import type { JournalState } from '../../engine/journal/journal-state';
import type { JournalRecord } from '../../engine/journal/records';
import type { ConversationRecord } from '../../sessions/strata/records';
import { hasParted } from '../requests/continuation';
import { isSystemPrompt, newestMessage } from '../requests/system-prompt';

/** The records that the shelf does not have yet. If others continued the conversation meanwhile, its end stays where they are. */
export function missingRecords(
  records: readonly ConversationRecord[],
  shelf: Pick<Conversation, 'entries' | 'agentContext'>,
  copy: Pick<Conversation, 'entries'>,
): readonly ConversationRecord[] {
  const known = new Set(shelf.entries.map(({ id }) => id));
  const missing = records.filter((record) => !('entry' in record) || !known.has(record.entry.id));
  const brings = (all: readonly ConversationRecord[]) => all.some(({ type }) => type === 'entry');
  const isThere = brings(records) && !brings(missing);
  const newest = newestMessage(shelf);
  const wentOn = newest !== null && !copy.entries.some(({ id }) => id === newest);
  if (!isThere && !wentOn) return missing;
  return missing.filter(({ type }) => type !== 'leaf' && type !== 'turn-ended');
}

/**
 * Records of a journal to append after what others wrote to it. Compactions are left out, because others may have compacted
 * the same messages: the next request that needs it compacts again. `known`: the state that both have in common.
 */
export function rebasedRecords(
  records: readonly JournalRecord[],
  state: JournalState,
  known: Pick<JournalState, 'lastSeq'>,
): readonly JournalRecord[] {
  const rebased = records.flatMap((record): readonly JournalRecord[] => {
    switch (record.kind) {
      case 'pin':
        return hasItem(state, record.item) ? [] : [record];
      case 'core-change':
      case 'core-edit':
      case 'core-order':
        return [record];
      case 'undo':
      case 'redo':
        return record.compactions.every((seq) => seq <= known.lastSeq) ? [record] : [];
      case 'edit':
        return record.compaction <= known.lastSeq ? [record] : [];
      default:
        return [];
    }
  });
  return rebased.map((record, index) => ({ ...record, seq: state.lastSeq + 1 + index }));
}

function hasItem({ items }: JournalState, item: JournalState['items'][number]): boolean {
  return items.some(({ kind, text, status, id }) => {
    const isEqual = kind === item.kind && text.trim() === item.text.trim();
    return id === item.id || (isEqual && (status === 'active' || item.status === 'proposed'));
  });
}

/**
 * Number of messages that a conversation on the shelf shares with one that continued in memory under another id; 0 if that one
 * does not continue it. Many conversations begin with the same words, so the first reply must be the same.
 */
export function returnsTo(
  copy: Pick<Conversation, 'entries' | 'agentContext'>,
  shelf: Pick<Conversation, 'entries' | 'agentContext'>,
): number {
  const path = (one: typeof copy) => {
    const ids = new Set(one.entries.map(({ id }) => id));
    return one.agentContext.filter((entry) => ids.has(entry.id) && !isSystemPrompt(entry));
  };
  const [own, other] = [path(copy), path(shelf)];
  const differs = other.findIndex(({ id }, index) => id !== own[index]?.id);
  const length = differs === -1 ? other.length : differs;
  const firstReply = other.findIndex(({ role }) => role === 'assistant');
  return firstReply === -1 || length <= firstReply || hasParted(own, other) ? 0 : length;
}
