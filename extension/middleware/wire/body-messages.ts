import type { JsonRecord } from '../../sessions/records/schemas';
import type { LazyMessageFormat, MessageGroup } from '../formats/format';
import type { Outgoing } from '../recognition/outgoing';
import type { Piece } from './splice';
import { withoutThinking } from './without-thinking';

/** The messages of a body, in groups. A group or a message of a long body is read only where it is asked for. */
export interface BodyMessages {
  readonly format: LazyMessageFormat<JsonRecord>;
  /** Number of messages before a group; for the number of groups, that of all messages. */
  before(group: number): number;
  groupAt(group: number): MessageGroup<JsonRecord>;
  messageAt(index: number): JsonRecord;
  /** JSON of a message, as it came. */
  textAt(index: number): string;
}

/** The messages to send as pieces of the original list. Indexes in `outgoing` refer to groups. */
export function piecesOf(messages: BodyMessages, outgoing: readonly Outgoing[]): Piece[] {
  return outgoing.flatMap((one): Piece[] => {
    if (one.kind === 'made') return messages.format.made(one.message).map(newPiece);
    const first = messages.before(one.index);
    const kept = keptPieces(first, messages.before(one.index + 1));
    if (one.kind === 'original') return kept;
    if (one.kind === 'without-thinking')
      return kept.flatMap(({ index }) => withoutThinking(messages.messageAt(index), messages.textAt(index)));
    const group = messages.groupAt(one.index);
    return messages.format.altered(group, one).map((message) => {
      const at = group.messages.indexOf(message);
      return at === -1 ? newPiece(message) : { kind: 'kept', index: first + at };
    });
  });
}

type KeptPiece = Extract<Piece, { readonly kind: 'kept' }>;

function newPiece(message: JsonRecord): Piece {
  return { kind: 'new', text: JSON.stringify(message) };
}

function keptPieces(first: number, end: number): KeptPiece[] {
  return Array.from({ length: end - first }, (_, at) => ({ kind: 'kept', index: first + at }));
}
