import type { AgentCompaction } from '../../engine/conversation/conversation';
import type { Message } from '../cline/messages';
import { asName } from '../records/json';

/*
 * Roo Code keeps messages that a summary or a truncation replaced, and marks them with its id. The mark applies only while
 * the summary or truncation exists: after a rewind to before it, the messages are sent again. From its public sources.
 */

export function effectiveHistory(messages: readonly Message[]): readonly Message[] {
  const summaries = idsOf(messages, 'isSummary', 'condenseId');
  const truncations = idsOf(messages, 'isTruncationMarker', 'truncationId');
  const isHidden = ({ fields }: Message) =>
    summaries.has(asName(fields.condenseParent)) || truncations.has(asName(fields.truncationParent));
  return fromNewestSummary(messages).filter((message) => !isHidden(message));
}

/** A summary with the user role starts a new context. Before version 3.38 summaries had the assistant role. */
function fromNewestSummary(messages: readonly Message[]): readonly Message[] {
  const newest = messages.map(({ fields }) => fields.isSummary === true && fields.role === 'user').lastIndexOf(true);
  return newest < 0 ? messages : messages.slice(newest);
}

function idsOf(messages: readonly Message[], mark: string, id: string): ReadonlySet<string | null> {
  const marked = messages.filter(({ fields }) => fields[mark] === true);
  const ids = new Set<string | null>(marked.map(({ fields }) => asName(fields[id])));
  ids.delete(null);
  return ids;
}

export function condensations(messages: readonly Message[]): AgentCompaction[] {
  return messages.flatMap((message): AgentCompaction[] => {
    const [entry] = message.entries;
    const id = asName(message.fields.condenseId);
    if (message.fields.isSummary !== true || entry === undefined) return [];
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
