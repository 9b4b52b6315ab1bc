import type { ContextMessage } from '../../engine/conversation/context';
import { toolCalls, toolResults } from '../../engine/conversation/entry';
import type { UnplacedEntry } from './received';
import type { ReceivedConversation } from './received-entries';

/** What becomes of one result: it stays, with another text where its own was taken out, or it lies beneath a block. */
export type ResultFate = { readonly kind: 'pruned'; readonly text: string } | { readonly kind: 'beneath' };

/** One message of the request as it goes out; `index` counts the messages as they came in. */
export type Outgoing =
  | { readonly kind: 'original'; readonly index: number }
  /** The message without some of what it said: results by their call, and all the rest unless that is kept. */
  | {
      readonly kind: 'altered';
      readonly index: number;
      readonly results: ReadonlyMap<string, ResultFate>;
      readonly keepsRest: boolean;
    }
  /** A block, or the core. */
  | { readonly kind: 'made'; readonly message: ContextMessage };

/**
 * A request with the blocks of the context in the places of what they stand for. Whatever lies beneath no block goes
 * out as it came in, in its order: a message that the context does not know is never missing, unless its call is.
 */
export function outgoingOf(received: ReceivedConversation, messages: readonly ContextMessage[]): Outgoing[] {
  const made = madeMessages(received, messages);
  const beneath = entriesBeneath(received, messages);
  const pruned = prunedTexts(messages);
  const outgoing: Outgoing[] = [];
  let follows = true;
  for (const [index, entries] of received.ofMessage.entries()) {
    outgoing.push(...(made.get(index) ?? []));
    // What says nothing belongs to the message before it.
    if (entries.length > 0) follows = entries.some(({ id }) => !beneath.has(id));
    if (index < received.leading || follows) outgoing.push(messageAt(index, entries, beneath, pruned));
  }
  return [...outgoing, ...(made.get(received.ofMessage.length) ?? [])];
}

/**
 * What lies beneath blocks. A context knows one result of a call; where a client gives several calls one id, the others
 * lie where their call does.
 */
function entriesBeneath({ entries }: ReceivedConversation, messages: readonly ContextMessage[]): Set<string> {
  const beneath = new Set(messages.flatMap(({ block, entryIds }) => (block ? entryIds : [])));
  const callers = new Map<string, string>();
  for (const { id, parts } of entries) {
    for (const { callId } of toolCalls(parts)) callers.set(callId, id);
    if (toolResults(parts).some(({ callId }) => beneath.has(callers.get(callId) ?? ''))) beneath.add(id);
  }
  return beneath;
}

/** Whether every message goes out as it came in, and nothing else does. */
export function isUnchanged(outgoing: readonly Outgoing[], groups: readonly unknown[]): boolean {
  return (
    outgoing.length === groups.length && outgoing.every((one, index) => one.kind === 'original' && one.index === index)
  );
}

/** Blocks and the core, by the index of the message that they go before. */
function madeMessages(
  { leading, ofMessage }: ReceivedConversation,
  messages: readonly ContextMessage[],
): Map<number, Outgoing[]> {
  const indexes = new Map(ofMessage.flatMap((entries, index) => entries.map(({ id }) => [id, index] as const)));
  const made = new Map<number, Outgoing[]>();
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
  index: number,
  entries: readonly UnplacedEntry[],
  beneath: ReadonlySet<string>,
  pruned: ReadonlyMap<string, string>,
): Outgoing {
  const results = new Map<string, ResultFate>();
  let keepsRest = true;
  for (const { id, parts } of entries) {
    const [result] = toolResults(parts);
    const text = pruned.get(id);
    if (result === undefined) keepsRest = !beneath.has(id);
    else if (beneath.has(id)) results.set(result.callId, { kind: 'beneath' });
    else if (text !== undefined) results.set(result.callId, { kind: 'pruned', text });
  }
  return keepsRest && results.size === 0 ? { kind: 'original', index } : { kind: 'altered', index, results, keepsRest };
}
