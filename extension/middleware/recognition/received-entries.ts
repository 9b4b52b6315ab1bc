import { beginning, longer } from '../../engine/conversation/common-prefix';
import { isPrompt, withTextsMerged } from '../../engine/conversation/entry';
import { atOnce, type LongWork } from '../../engine/conversation/long-work';
import { type Authorship, authoredPieces, authors, authorshipOf, type EntryAuthor, marksOf } from './authorship';
import { chainStart, counts, nextLink } from './chain';
import {
  costOfParts,
  type ReceivedMessage,
  type ReceivedPart,
  type ReceivedResult,
  type ThinkingPlace,
  type UnplacedEntry,
} from './received';

/** A message of a request as a part of the chain. */
export interface LinkedMessage {
  /** None for a leading system prompt and for a message without content. */
  readonly entries: readonly UnplacedEntry[];
  /** Facts besides its texts that determine their author. */
  readonly authorship: Authorship;
  /** Place of its thinking. */
  readonly thinking: ThinkingPlace | undefined;
  /** The link of the chain after it. */
  readonly link: string;
}

/** The messages of a request as a conversation: entries whose ids are links of the chain, and the system prompts. */
export interface ReceivedConversation {
  /** Number of system prompts at the beginning. They change with every request and are in no chain. */
  readonly leading: number;
  /** The texts of the system prompts. */
  readonly system: readonly string[];
  readonly messages: readonly LinkedMessage[];
  readonly entries: readonly UnplacedEntry[];
  /** The newest link of the chain; the answer is linked to it. */
  readonly end: string;
}

/** An earlier request, and how many of its first messages the new one repeats, up to one of the role `user`. */
interface KnownMessages {
  readonly received: ReceivedConversation;
  readonly count: number;
}

/** `time`: arrival of the request, ISO 8601. Requests do not contain the times of their messages. */
export function receivedConversation(messages: readonly ReceivedMessage[], time: string): ReceivedConversation {
  return atOnce(receiving(messages, time));
}

/** `known`: what precedes these messages. */
export function* receiving(
  messages: readonly ReceivedMessage[],
  time: string,
  known: KnownMessages | null = null,
): LongWork<ReceivedConversation> {
  const before: FirstMessages = known === null ? noMessages : firstOf(known);
  const leading = known?.received.leading ?? leadingSystem(messages);
  const system = known?.received.system ?? textsOf(messages.slice(0, leading));
  const reply = messages.findIndex(({ role }) => role === 'assistant');
  const last = before.messages.at(-1);
  const isBeginning = last?.authorship.isBeginning ?? true;
  const added: LinkedMessage[] = [];
  let end = last?.link ?? chainStart;
  for (const [index, message] of messages.entries()) {
    const authorship = authorshipOf(message, isBeginning && (reply === -1 || index < reply));
    const isSpoken = before.messages.length + index >= leading && counts(message);
    if (isSpoken) end = nextLink(end, message);
    const entries = isSpoken ? entriesOf(message, end, time, authorship) : [];
    added.push({ entries, authorship, thinking: message.thinking, link: end });
    yield costOfParts(message.parts);
  }
  return {
    leading,
    system,
    messages: before.messages.concat(added),
    entries: longer(
      before.entries,
      added.flatMap(({ entries }) => entries),
    ),
    end,
  };
}

type FirstMessages = Pick<ReceivedConversation, 'messages' | 'entries'>;

const noMessages: FirstMessages = { messages: [], entries: [] };

function firstOf({ received, count }: KnownMessages): FirstMessages {
  const after = received.messages.slice(count).reduce((total, { entries }) => total + entries.length, 0);
  return {
    messages: beginning(received.messages, count),
    entries: beginning(received.entries, received.entries.length - after),
  };
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

function entriesOf(message: ReceivedMessage, link: string, timestamp: string, by: Authorship): UnplacedEntry[] {
  const results = message.parts.filter((part): part is ReceivedResult => part.type === 'tool_result');
  const drafts: Omit<UnplacedEntry, 'id'>[] = [
    ...results.map((result) => resultEntry(result, timestamp)),
    ...spokenEntries(message, timestamp, by),
  ];
  return drafts.map((draft, index) => ({ id: drafts.length === 1 ? link : `${link}:${index}`, ...draft }));
}

function resultEntry({ images, ...result }: ReceivedResult, timestamp: string): Omit<UnplacedEntry, 'id'> {
  return { role: 'tool', parts: [result, ...images], timestamp };
}

type SpokenPart = Exclude<ReceivedPart, ReceivedResult>;

/**
 * The content besides results: one entry, and in the role `user` one per author. The person's entry comes before
 * passing texts, so that a reminder belongs to the turn of its prompt.
 */
function spokenEntries(
  { role, parts }: ReceivedMessage,
  timestamp: string,
  by: Authorship,
): Omit<UnplacedEntry, 'id'>[] {
  const rest = parts.filter((part): part is SpokenPart => part.type !== 'tool_result');
  if (role !== 'user') return rest.some(saysSomething) ? [{ role, parts: withTextsMerged(rest), timestamp }] : [];
  const ofAuthor = partsByAuthor(rest, by);
  return authors.flatMap((author) => {
    const own = ofAuthor.get(author) ?? [];
    return own.some(saysSomething) ? [{ role, parts: withTextsMerged(own), timestamp, ...marksOf(author) }] : [];
  });
}

function saysSomething(part: SpokenPart): boolean {
  return part.type !== 'text' || part.text !== '';
}

function partsByAuthor(parts: readonly SpokenPart[], by: Authorship): Map<EntryAuthor, SpokenPart[]> {
  const ofAuthor = new Map<EntryAuthor, SpokenPart[]>();
  const add = (author: EntryAuthor, part: SpokenPart) => ofAuthor.set(author, [...(ofAuthor.get(author) ?? []), part]);
  for (const part of parts) {
    if (part.type !== 'text') add(by.isClients ? 'passing' : 'person', part);
    else {
      for (const { author, text } of authoredPieces(part.text, by)) {
        if (author !== 'frame') add(author, { type: 'text', text });
      }
    }
  }
  return ofAuthor;
}

/** Index of the first entry of a turn that just began with a prompt; null in the middle of a turn. */
export function newTurnBeginsAt({ entries }: Pick<ReceivedConversation, 'entries'>): number | null {
  const begins = entries.findLastIndex(({ role }) => role === 'assistant' || role === 'tool') + 1;
  return entries.slice(begins).some(isPrompt) ? begins : null;
}
