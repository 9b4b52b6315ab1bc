import type { AgentCompaction } from '../../../engine/conversation/conversation';
import type { StoreFormat } from '../../../sessions/adapter';
import { taskFormat, userMessageKind } from '../../cline/format/extension-tasks';
import { listWholeFile } from '../../cline/format/listing';
import type { Message, MessageFields } from '../../cline/format/messages';
import { WholeFileReading } from '../../cline/format/reading';

const tasks = taskFormat({
  agent: 'roo-code',
  extension: 'rooveterinaryinc.roo-cline',
  kindOf: (message) => (message.isSummary ? 'summary' : userMessageKind(message)),
  sentOf: effectiveHistory,
  compactionsOf: condensations,
});

/** Tasks of the VS Code extension Roo Code, a fork of Cline's. */
export const rooCode: StoreFormat = {
  kind: 'store',
  agent: 'roo-code',
  ...tasks,
  foldersBelowRoot: 1,
  rewritesFiles: true,
  list: (file) => listWholeFile(file, tasks.companions(file), tasks.builder(file)),
  open: (file, key) => WholeFileReading.open(file, key, tasks.companions(file), tasks.builder(file)),
};

/**
 * Roo Code keeps messages that a summary or a truncation replaced, and marks them with its id. The mark applies only while
 * the summary or truncation exists: after a rewind to before it, the messages are sent again. From its public sources.
 */
function effectiveHistory(messages: readonly Message[]): readonly Message[] {
  const summaries = idsOf(messages, 'isSummary', 'condenseId');
  const truncations = idsOf(messages, 'isTruncationMarker', 'truncationId');
  const isHidden = ({ fields }: Message) =>
    summaries.has(fields.condenseParent) || truncations.has(fields.truncationParent);
  return fromNewestSummary(messages).filter((message) => !isHidden(message));
}

/** A summary with the user role starts a new context. Before version 3.38 summaries had the assistant role. */
function fromNewestSummary(messages: readonly Message[]): readonly Message[] {
  const newest = messages.map(({ fields }) => fields.isSummary && fields.role === 'user').lastIndexOf(true);
  return newest < 0 ? messages : messages.slice(newest);
}

function idsOf(
  messages: readonly Message[],
  mark: keyof MessageFields,
  id: 'condenseId' | 'truncationId',
): ReadonlySet<string | null> {
  const ids = new Set(messages.flatMap(({ fields }) => (fields[mark] === true ? [fields[id]] : [])));
  ids.delete(null);
  return ids;
}

function condensations(messages: readonly Message[]): AgentCompaction[] {
  return messages.flatMap((message): AgentCompaction[] => {
    const [entry] = message.entries;
    const { condenseId: id, isSummary } = message.fields;
    if (!isSummary || entry === undefined) return [];
    const replaced = messages.filter(({ fields }) => id !== null && fields.condenseParent === id);
    return [
      {
        id: `condensation:${id ?? message.id}`,
        kind: 'summary',
        timestamp: entry.timestamp,
        summaryEntryId: entry.id,
        replacedEntryIds: replaced.flatMap(({ entries }) => entries.map((each) => each.id)),
        tokensBefore: null,
        tokensAfter: null,
        trigger: null,
        origin: entry.origin,
      },
    ];
  });
}
