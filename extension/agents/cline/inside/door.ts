import type { Entry } from '../../../engine/conversation/entry';
import type { Piece } from '../../../inside/carried';
import { type AgentDoor, HandedOverUnreadable } from '../../../inside/door';
import * as s from '../../../platform/json/schemas';
import { userMessageKind } from '../format/cli-session';
import { MessageReader } from '../format/messages';

/** The result of a message builder of Cline: the messages of the next request. */
export const clineDoor: AgentDoor = {
  agent: 'cline',
  keepsMessages: true,
  handedOver(messages) {
    if (!Array.isArray(messages) || !messages.every(s.isRecord))
      throw new HandedOverUnreadable('not a list of messages');
    return entriesOf(messages);
  },
  result: ({ pieces }) => ({ messages: Array.from(groupsIn(pieces), clineMessage) }),
};

/** Reads the messages as the session's own file is read. */
function entriesOf(messages: readonly s.JsonRecord[]): Entry[] {
  const reader = new MessageReader('', 'messages', userMessageKind, '');
  const text = JSON.stringify({ messages });
  return reader.read({ text, value: JSON.parse(text) }).flatMap(({ entries }) => entries);
}

/** `kept`: the id of an unchanged message; Cline's own object has further fields. */
interface ClineMessage {
  readonly kept: string | null;
  readonly role: 'user' | 'assistant';
  readonly content: readonly object[];
}

/** Groups pieces into Cline's messages: a user message has the results of all calls, then texts. */
function* groupsIn(pieces: readonly Piece[]): Generator<readonly Piece[]> {
  let group: Piece[] = [];
  for (const piece of pieces) {
    const [first] = group;
    if (first !== undefined && !isSameMessage(first, piece)) {
      yield group;
      group = [];
    }
    group.push(piece);
  }
  if (group.length > 0) yield group;
}

function isSameMessage(one: Piece, other: Piece): boolean {
  if (one.role === 'assistant' || other.role === 'assistant') return false;
  const id = messageOf(one);
  return id === null ? one.result !== null && other.result !== null : id === messageOf(other);
}

/** Further entries of a message have its id with a number. */
function messageOf({ entry }: Piece): string | null {
  return entry === null ? null : entry.replace(/\/\d+$/, '');
}

function clineMessage(group: readonly Piece[]): ClineMessage {
  const [first] = group as [Piece];
  const isKept = group.every(({ isOurs }) => !isOurs);
  return {
    kept: isKept ? messageOf(first) : null,
    role: first.role === 'assistant' ? 'assistant' : 'user',
    content: group.flatMap(blocksOf),
  };
}

function blocksOf({ text, calls, result, images, isOurs }: Piece): object[] {
  if (result !== null) {
    const name = result.name === null ? {} : { name: result.name };
    const answered = { type: 'tool_result', tool_use_id: result.id, ...name, content: text, is_error: result.isError };
    return [{ ...answered, isKept: !isOurs }];
  }
  return [
    ...(text === '' ? [] : [{ type: 'text', text }]),
    ...images.flatMap(({ mediaType, data }) => (data === null ? [] : [{ type: 'image', mediaType, data }])),
    ...calls.map(({ id, name, input }) => ({ type: 'tool_use', id, name, input })),
  ];
}
