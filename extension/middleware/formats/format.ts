import type { ContextMessage } from '../../engine/conversation/context';
import type { Remainder } from '../recognition/authorship';
import type { Outgoing, ResultFate } from '../recognition/outgoing';
import type { ReceivedMessage } from '../recognition/received';
import { type CacheMarks, movedMarks } from './cache-marks';
import type { SeenCalls } from './seen-calls';

/** Messages that are sent or dropped together: a reply with its reasoning and calls, or a single message. */
export interface MessageGroup<M> {
  readonly messages: readonly M[];
  readonly said: ReceivedMessage;
}

/** Names what to remove from a group: results by call id, and everything else unless `keepsRest` or `remaining` says otherwise. */
export interface Alteration {
  readonly results: ReadonlyMap<string, ResultFate>;
  /** Everything but the results stays. */
  readonly keepsRest: boolean;
  /** The part that stays if not everything does: standing instructions beside a prompt. Absent: nothing. */
  readonly remaining?: Remainder;
}

/**
 * The message format of one provider or library. Unchanged messages are sent as the same objects that came in, so that
 * nothing is lost that only the client or provider understands (signatures, cache control, unknown fields).
 */
export interface MessageFormat<M> {
  /** Each message is in exactly one group, in order. A system prompt is a separate group. */
  groupsOf(messages: readonly M[]): readonly MessageGroup<M>[];
  /** The remaining messages of a group, possibly none. Results that the alteration does not name stay unchanged. */
  altered(group: MessageGroup<M>, alteration: Alteration): readonly M[];
  /** Messages for a block or the core. */
  made(message: ContextMessage): readonly M[];
  /** The messages of a reply without its thinking, possibly none. Absent: no message is read as one with thinking. */
  withoutThinking?(group: MessageGroup<M>): readonly M[];
  /** Absent: the format has no marks of the cache. */
  readonly marks?: CacheMarks<M>;
}

/** A format that groups the messages one at a time, so that other work can run in between. */
export interface LazyMessageFormat<M> extends MessageFormat<M> {
  /** `calls`: those of the messages before these. */
  eachGroup(messages: readonly M[], calls?: SeenCalls): Iterable<MessageGroup<M>>;
}

/** The messages to send. Indexes in `outgoing` refer to groups. */
export function rewritten<M>(
  format: MessageFormat<M>,
  groups: readonly MessageGroup<M>[],
  outgoing: readonly Outgoing[],
): M[] {
  const of = (messages: readonly M[] = []) => format.marks?.of(messages);
  const marks = movedMarks(
    {
      count: groups.length,
      markAt: (group) => of(groups[group]?.messages),
      markIn: (altered) =>
        of(groups[altered.index] && format.altered(groups[altered.index] as MessageGroup<M>, altered)),
    },
    outgoing,
  );
  return outgoing.flatMap((one) => {
    if (one.kind === 'made') return madeMessages(format, one, marks);
    const group = groups[one.index];
    if (!group) return [];
    if (one.kind === 'without-thinking') return format.withoutThinking?.(group) ?? group.messages;
    return one.kind === 'original' ? group.messages : format.altered(group, one);
  });
}

/** The messages of a block or the core, with the mark that moves to it. */
export function madeMessages<M>(
  format: MessageFormat<M>,
  made: Extract<Outgoing, { readonly kind: 'made' }>,
  marks: ReadonlyMap<Outgoing, unknown>,
): readonly M[] {
  const messages = format.made(made.message);
  const mark = marks.get(made);
  return mark === undefined ? messages : (format.marks?.on(messages, mark) ?? messages);
}
