import type { ImagePart } from '../../engine/conversation/entry';
import type { ReceivedMessage, ReceivedPart, ReceivedResult } from '../recognition/received';
import { remainingMessages, type Said } from './content';
import type { Alteration, LazyMessageFormat, MessageGroup } from './format';
import { SeenCalls } from './seen-calls';

/** A tool result. If it does not have the tool's name, `lazyFormat` adds it from the call. */
export function resultOf(
  callId: string,
  content: readonly Said[],
  { isError = false, name = null }: Partial<Pick<ReceivedResult, 'isError' | 'name'>> = {},
): ReceivedResult {
  const text = content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n');
  const images = content.filter((part): part is ImagePart => part.type === 'image');
  return { type: 'tool_result', callId, name, text, isError, images };
}

export function resultsIn({ parts }: ReceivedMessage): ReceivedResult[] {
  return parts.filter((part): part is ReceivedResult => part.type === 'tool_result');
}

type Grouping<M> = (messages: readonly M[], calls: SeenCalls) => Iterable<MessageGroup<M>>;

/** A format whose results do not have the names of their tools. `grouping`: its groups, without these names. */
export function lazyFormat<M>(
  grouping: Grouping<M>,
  format: Omit<LazyMessageFormat<M>, 'groupsOf' | 'eachGroup'>,
): LazyMessageFormat<M> {
  const eachGroup = (messages: readonly M[], calls = new SeenCalls()) => eachNamed(grouping(messages, calls), calls);
  return { ...format, eachGroup, groupsOf: (messages) => [...eachGroup(messages)] };
}

/** Adds the tool's name to each result, from the newest call with its id. */
function* eachNamed<M>(groups: Iterable<MessageGroup<M>>, calls: SeenCalls): Generator<MessageGroup<M>> {
  for (const group of groups) {
    for (const part of group.said.parts) if (part.type === 'tool_call') calls.add(part.callId, part.name);
    yield resultsIn(group.said).length === 0 ? group : { ...group, said: named(group.said, calls.names) };
  }
}

function named({ role, parts }: ReceivedMessage, names: ReadonlyMap<string, string>): ReceivedMessage {
  const withName = (part: ReceivedPart): ReceivedPart =>
    part.type === 'tool_result' ? { ...part, name: part.name ?? names.get(part.callId) ?? null } : part;
  return { role, parts: parts.map(withName) };
}

/** Alters a group that is a single result or has no results. `pruned` replaces the text of a message. */
export function alteredSingle<M extends { readonly content?: unknown }>(
  { messages, said }: MessageGroup<M>,
  { results, keepsRest, remaining }: Alteration,
  pruned: (message: M, text: string) => M,
): readonly M[] {
  const [result] = resultsIn(said);
  if (result === undefined)
    return keepsRest ? messages : messages.flatMap((message) => remainingMessages(message, remaining));
  const fate = results.get(result.callId);
  if (fate === undefined) return messages;
  return fate.kind === 'replaced' ? [] : messages.map((message) => pruned(message, fate.text));
}
