import type { ContextMessage } from '../../engine/conversation/context';
import type { Conversation } from '../../engine/conversation/conversation';
import { type Entry, type Part, readableText, toolCalls } from '../../engine/conversation/entry';

/** Length of text searched before yielding to the event loop, in UTF-16 units. */
const sliceLength = 4_000_000;

/** More hits than a person steps through. */
const maxHits = 5000;

/**
 * Keys of the rows whose full text contains all words, ignoring case. Includes blocks and agents' summaries with hits in
 * the entries they replaced. Yields to other work; stops when `isWanted` returns false.
 */
export async function findRows(
  words: string,
  { messages, conversation }: { readonly messages: readonly ContextMessage[]; readonly conversation: Conversation },
  isWanted: () => boolean,
): Promise<readonly string[]> {
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
  if (wanted.length === 0) return [];
  const found = new Set<string>();
  const textsOf = textsByRow(conversation);
  let read = 0;
  for (const message of messages) {
    for (const [key, texts] of textsOf(message)) {
      if (hasAll(wanted, texts)) found.add(key);
      read += texts.reduce((total, { length }) => total + length, 0);
    }
    if (found.size >= maxHits || !isWanted()) break;
    if (read < sliceLength) continue;
    read = 0;
    await new Promise((resolve) => setImmediate(resolve));
  }
  return [...found];
}

function hasAll(wanted: readonly string[], texts: readonly string[]): boolean {
  const left = new Set(wanted);
  for (const text of texts) {
    const lower = text.toLowerCase();
    for (const word of left) if (lower.includes(word)) left.delete(word);
    if (left.size === 0) return true;
  }
  return false;
}

/** The texts of a message by row. A result belongs to the row of the newest call with its id. */
function textsByRow({ entries, agentCompactions }: Conversation) {
  const byId = new Map(entries.map((entry) => [entry.id, entry]));
  const beneathSummary = new Map(
    agentCompactions.map((made) => [made.repeatedBy ?? made.summaryEntryId, made.replacedEntryIds]),
  );
  const rowOfCall = new Map<string, string>();
  const textsOfEntries = (ids: readonly string[]) => ids.flatMap((id) => textsOfEntry(byId.get(id)));
  return (message: ContextMessage): Map<string, string[]> => {
    const rows = new Map<string, string[]>([[message.key, []]]);
    for (const part of message.parts) {
      const key = rowOf(part, message, rowOfCall);
      rows.set(key, [...(rows.get(key) ?? []), readableText(part)]);
    }
    for (const { callId } of toolCalls(message.parts)) rowOfCall.set(callId, `${message.key}#${callId}`);
    const beneath = message.block
      ? message.entryIds
      : (message.forked?.entryIds ?? beneathSummary.get(message.key) ?? []);
    rows.get(message.key)?.push(...textsOfEntries(beneath));
    return rows;
  };
}

function rowOf(part: Part, message: ContextMessage, rowOfCall: ReadonlyMap<string, string>): string {
  if (part.type === 'tool_call') return `${message.key}#${part.callId}`;
  if (part.type === 'tool_result') return rowOfCall.get(part.callId) ?? message.key;
  return part.type === 'reasoning' && message.role === 'assistant' ? `${message.key}#reasoning` : message.key;
}

function textsOfEntry(entry: Entry | undefined): string[] {
  return entry ? entry.parts.map(readableText) : [];
}
