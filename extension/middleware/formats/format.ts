import type { ContextMessage } from '../../engine/conversation/context';
import type { Outgoing, ResultFate } from '../recognition/outgoing';
import type { ReceivedMessage } from '../recognition/received';

/** Messages that go out together: a reply with its thinking and its calls, or a single message. */
export interface MessageGroup<M> {
  readonly messages: readonly M[];
  readonly said: ReceivedMessage;
}

/** What has to leave a group: results by their call, and all the rest unless that is kept. */
export interface Alteration {
  readonly results: ReadonlyMap<string, ResultFate>;
  readonly keepsRest: boolean;
}

/**
 * How one provider or library writes a conversation. What Strata does not change goes out as the very objects that came
 * in, so nothing that only the client or its provider understands (signatures, cache marks, unknown fields) is lost.
 */
export interface MessageFormat<M> {
  /** Each message is in exactly one group, in order. A system prompt is a group of its own. */
  groupsOf(messages: readonly M[]): readonly MessageGroup<M>[];
  /** What is left of a group; empty where nothing is. What is not named keeps its value. */
  altered(group: MessageGroup<M>, alteration: Alteration): readonly M[];
  /** A block, or the core. */
  made(message: ContextMessage): readonly M[];
}

/** The messages as they go out; `outgoing` counts groups. */
export function rewritten<M>(
  format: MessageFormat<M>,
  groups: readonly MessageGroup<M>[],
  outgoing: readonly Outgoing[],
): M[] {
  return outgoing.flatMap((one) => {
    if (one.kind === 'made') return format.made(one.message);
    const group = groups[one.index];
    if (!group) return [];
    return one.kind === 'original' ? group.messages : format.altered(group, one);
  });
}
