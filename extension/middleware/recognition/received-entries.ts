import { withTextsMerged } from '../../engine/conversation/entry';
import { chainStart, counts, nextLink } from './chain';
import type { ReceivedMessage, ReceivedPart, ReceivedResult, UnplacedEntry } from './received';

/** The messages of a request as a conversation: entries whose ids are links of the chain, and what stands outside. */
export interface ReceivedConversation {
  /** How many messages at the beginning are system prompts. They change with every request and are in no chain. */
  readonly leading: number;
  /** The texts of those. */
  readonly system: readonly string[];
  /** For each message its entries; none for a system prompt at the beginning, and for a message that says nothing. */
  readonly ofMessage: readonly (readonly UnplacedEntry[])[];
  readonly entries: readonly UnplacedEntry[];
  /** The chain's newest link: what an answer is linked to. */
  readonly end: string;
}

/** `time` is when the request came in: nobody says when a message was written. */
export function receivedConversation(messages: readonly ReceivedMessage[], time: string): ReceivedConversation {
  const leading = leadingSystem(messages);
  let end = chainStart;
  const ofMessage = messages.map((message, index) => {
    if (index < leading || !counts(message)) return [];
    end = nextLink(end, message);
    return entriesOf(message, end, time);
  });
  return { leading, system: textsOf(messages.slice(0, leading)), ofMessage, entries: ofMessage.flat(), end };
}

function leadingSystem(messages: readonly ReceivedMessage[]): number {
  const spoken = messages.findIndex(({ role }) => role !== 'system');
  return spoken === -1 ? messages.length : spoken;
}

function textsOf(messages: readonly ReceivedMessage[]): string[] {
  return messages
    .map(({ parts }) => parts.map((part) => (part.type === 'text' ? part.text : '')).join(''))
    .filter((text) => text !== '');
}

function entriesOf(message: ReceivedMessage, link: string, timestamp: string): UnplacedEntry[] {
  const results = message.parts.filter((part): part is ReceivedResult => part.type === 'tool_result');
  const rest = message.parts.filter((part) => part.type !== 'tool_result');
  const beside = rest.some((part) => part.type !== 'text' || part.text !== '');
  const drafts: Omit<UnplacedEntry, 'id'>[] = results.map((result) => resultEntry(result, timestamp));
  if (beside) drafts.push(spokenEntry(message, rest, results.length > 0, timestamp));
  return drafts.map((draft, index) => ({ id: drafts.length === 1 ? link : `${link}:${index}`, ...draft }));
}

function resultEntry({ images, ...result }: ReceivedResult, timestamp: string): Omit<UnplacedEntry, 'id'> {
  return { role: 'tool', parts: [result, ...images], timestamp };
}

/** What stands beside results in one message is mostly put there by the client, so it opens no turn. */
function spokenEntry(
  { role }: ReceivedMessage,
  rest: readonly Exclude<ReceivedPart, ReceivedResult>[],
  besideResults: boolean,
  timestamp: string,
): Omit<UnplacedEntry, 'id'> {
  const parts = withTextsMerged(rest);
  return { role, parts, timestamp, ...(besideResults && role === 'user' ? { injected: true } : {}) };
}

/** Which entries are new in a turn that has just begun: the person's last words. Null in the middle of a turn. */
export function newTurnBeginsAt({ entries }: Pick<ReceivedConversation, 'entries'>): number | null {
  const before = entries.findLastIndex(({ role, injected }) => role !== 'user' || injected === true);
  return before === entries.length - 1 ? null : before + 1;
}
