import type { Outgoing } from './outgoing';
import type { ReceivedConversation } from './received-entries';

/** A core whose newest items go after what was sent before they were pinned. */
export interface LateCore {
  /** Text of the items that go first; null if there are none. */
  readonly first: string | null;
  /** The other items, each with the id of the first reply since; null if there is none yet. */
  readonly parts: readonly { readonly text: string; readonly before: string | null }[];
}

/** Places each part of the core before the prompts of the reply that follows it. Unchanged where a reply is not in the request. */
export function withLateCore(
  outgoing: readonly Outgoing[],
  received: Pick<ReceivedConversation, 'messages' | 'leading'>,
  { first, parts }: LateCore,
): readonly Outgoing[] {
  const core = outgoing.findIndex((one) => one.kind === 'made' && one.message.kind === 'core');
  const place = core === -1 ? received.leading : core;
  const whole = outgoing[core]?.kind === 'made' ? (outgoing[core] as Made) : emptyCore;
  const placed: Outgoing[] = outgoing.toSpliced(
    place,
    core === -1 ? 0 : 1,
    ...(first === null ? [] : [withText(whole, first)]),
  );
  for (const { text, before } of parts) {
    const at = before === null ? placed.length : placed.findIndex((one) => isReply(one, received, before));
    if (at === -1) return outgoing;
    const { message } = withText(whole, text);
    placed.splice(beforePrompts(placed, received, at), 0, {
      kind: 'made',
      message: { ...message, key: `${message.key}:late`, role: 'user', kind: 'user' },
    });
  }
  return placed;
}

/** A core without active items has no message in the context. */
const emptyCore: Made = {
  kind: 'made',
  message: {
    ...{ key: 'core', role: 'system', kind: 'core', entryIds: [], parts: [], tokens: 0, timestamp: null },
    injected: true,
  },
};

type Made = Extract<Outgoing, { readonly kind: 'made' }>;

function withText(made: Made, text: string): Made {
  return { kind: 'made', message: { ...made.message, parts: [{ type: 'text', text }] } };
}

function isReply(one: Outgoing, { messages }: Pick<ReceivedConversation, 'messages'>, id: string): boolean {
  return one.kind !== 'made' && messages[one.index]?.entries.some((entry) => entry.id === id) === true;
}

/** A part goes before the person's newest messages, which are to be answered. Results stay directly after their calls. */
function beforePrompts(
  placed: readonly Outgoing[],
  { messages, leading }: Pick<ReceivedConversation, 'messages' | 'leading'>,
  end: number,
): number {
  let at = end;
  for (
    let one = placed[at - 1];
    one !== undefined && one.kind !== 'made' && one.index >= leading;
    one = placed[at - 1]
  ) {
    const { entries = [] } = messages[one.index] ?? {};
    if (entries.length === 0 || !entries.every(({ role }) => role === 'user')) break;
    at -= 1;
  }
  return at;
}
