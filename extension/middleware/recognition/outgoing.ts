import type { ContextMessage } from '../../engine/conversation/context';
import { toolResults } from '../../engine/conversation/entry';
import { authorOf, type Remainder, remainderOf } from './authorship';
import type { UnplacedEntry } from './received';
import type { ReceivedConversation } from './received-entries';

/** Outcome for one result: kept, kept with another text, or replaced by a block. */
export type ResultFate = { readonly kind: 'pruned'; readonly text: string } | { readonly kind: 'replaced' };

/** One message of the outgoing request. `index` is its index in the incoming request. */
export type Outgoing =
  | { readonly kind: 'original'; readonly index: number }
  /** The reply without its thinking. */
  | { readonly kind: 'without-thinking'; readonly index: number }
  /** The message without part of its content: results by their call, and the rest as `keepsRest` and `remaining` say. */
  | {
      readonly kind: 'altered';
      readonly index: number;
      readonly results: ReadonlyMap<string, ResultFate>;
      readonly keepsRest: boolean;
      /** The remaining part of the rest. Absent: nothing. */
      readonly remaining?: Remainder;
    }
  /** A block or the core. */
  | { readonly kind: 'made'; readonly message: ContextMessage };

/** A message that is made from the context only. */
export type Projected = Exclude<Outgoing, { readonly kind: 'without-thinking' }>;

/**
 * The outgoing request: blocks take the places of what they replace, and all other messages keep their content and
 * order. A message that the context does not know is sent unless a block replaced its call.
 */
export function outgoingOf(received: ReceivedConversation, messages: readonly ContextMessage[]): Projected[] {
  const made = madeMessages(received, messages);
  const replaced = replacedEntries(received, messages);
  const pruned = prunedTexts(messages);
  const outgoing: Projected[] = [];
  let follows = true;
  for (const [index, { entries }] of received.messages.entries()) {
    const before = made.get(index);
    if (before !== undefined) outgoing.push(...before);
    // A message without content goes with the message before it.
    if (entries.length > 0) follows = entries.some(({ id }) => !replaced.has(id));
    if (index < received.leading || follows) outgoing.push(messageAt(received, index, replaced, pruned));
  }
  return [...outgoing, ...(made.get(received.messages.length) ?? [])];
}

/** The outgoing request, which may be the received one. */
export function changedBy(received: ReceivedConversation, messages: readonly ContextMessage[]): Outgoing[] {
  if (messages.some(isMade)) return outgoingOf(received, messages);
  return received.messages.map((_, index) => ({ kind: 'original', index }));
}

/** Whether Strata made the message or changed it. Without such a message, no request changes. */
function isMade({ kind, block, pruned }: ContextMessage): boolean {
  return kind === 'core' || block !== undefined || pruned !== undefined;
}

/**
 * Ids of the entries that blocks replace. The context knows one result per call; if a client uses a call id several times,
 * the other results go with their call.
 */
function replacedEntries({ entries }: ReceivedConversation, messages: readonly ContextMessage[]): Set<string> {
  const replaced = new Set(messages.flatMap(({ block, entryIds }) => (block ? entryIds : [])));
  const callers = new Map<string, string>();
  for (const { id, parts } of entries) {
    for (const part of parts) {
      if (part.type === 'tool_call') callers.set(part.callId, id);
      else if (part.type === 'tool_result' && replaced.has(callers.get(part.callId) ?? '')) replaced.add(id);
    }
  }
  return replaced;
}

/** Whether exactly the received messages are sent, unchanged. `count`: the number of received messages. */
export function isUnchanged(outgoing: readonly Outgoing[], count: number): boolean {
  return outgoing.length === count && outgoing.every((one, index) => one.kind === 'original' && one.index === index);
}

/** Blocks and the core, by the index of the message they precede. */
function madeMessages(
  { leading, messages: received }: ReceivedConversation,
  messages: readonly ContextMessage[],
): Map<number, Projected[]> {
  const indexes = new Map<string, number>();
  for (const [index, { entries }] of received.entries()) for (const { id } of entries) indexes.set(id, index);
  const made = new Map<number, Projected[]>();
  let place = leading;
  for (const message of messages) {
    const index = indexes.get(message.key);
    if (index !== undefined) place = Math.max(place, index + 1);
    else if (message.block || message.kind === 'core') {
      made.set(place, [...(made.get(place) ?? []), { kind: 'made', message }]);
    }
  }
  return made;
}

function prunedTexts(messages: readonly ContextMessage[]): Map<string, string> {
  return new Map(
    messages
      .filter(({ pruned }) => pruned !== undefined)
      .map(({ key, parts }) => [key, toolResults(parts)[0]?.text ?? '']),
  );
}

function messageAt(
  { messages }: ReceivedConversation,
  index: number,
  replaced: ReadonlySet<string>,
  pruned: ReadonlyMap<string, string>,
): Projected {
  const { entries = [], authorship: by } = messages[index] ?? {};
  if (!entries.some(({ id }) => replaced.has(id) || pruned.has(id))) return { kind: 'original', index };
  const results = new Map<string, ResultFate>();
  const spoken: UnplacedEntry[] = [];
  for (const entry of entries) {
    const [result] = toolResults(entry.parts);
    const text = pruned.get(entry.id);
    if (result === undefined) spoken.push(entry);
    else if (replaced.has(entry.id)) results.set(result.callId, { kind: 'replaced' });
    else if (text !== undefined) results.set(result.callId, { kind: 'pruned', text });
  }
  const kept = spoken.filter(({ id }) => !replaced.has(id));
  const keepsRest = kept.length === spoken.length;
  if (keepsRest && results.size === 0) return { kind: 'original', index };
  const altered = { kind: 'altered', index, results, keepsRest } as const;
  if (keepsRest || kept.length === 0 || by === undefined) return altered;
  return { ...altered, remaining: remainderOf(new Set(kept.map(authorOf)), by) };
}
