import type { NewEntry } from '../conversations/shelves/recorded';
import type { Block } from '../engine/conversation/block';
import type { ContextKind, ContextMessage } from '../engine/conversation/context';
import type { Part, Role, Usage } from '../engine/conversation/entry';
import type { Effects } from '../engine/run/workbench';
import { contentOf } from '../middleware/formats/plain';

/** A message as an agent has it. */
export interface Message {
  readonly role: Role;
  /** Text, or parts: text, reasoning, pictures, calls of tools (`assistant`) and their results (`tool`). */
  readonly content: string | readonly Part[];
  /** Unique within the conversation. Absent: one is made. */
  readonly id?: string;
  /** ISO 8601. Absent: now. */
  readonly timestamp?: string;
  /** The usage that the provider reported for a reply. Sizes of the context are corrected by it. */
  readonly usage?: Usage;
  readonly model?: string;
  /** A user-role message that no person wrote: a reminder, a notification. It opens no turn. */
  readonly injected?: true;
}

/** A message to send to the model. */
export interface SentMessage extends Message {
  /** The id of the message that was appended; `block:<seq>` for a block, `core` for the protected core. */
  readonly id: string;
  readonly kind: ContextKind;
  /** Counted, with the marks around a message. */
  readonly tokens: number;
  /** Present if it replaces older messages. */
  readonly block?: Block;
}

/** Every tool result is an entry of its own, with the pictures that follow it. */
export function entriesOf(message: Message, { now, newId }: Pick<Effects, 'now' | 'newId'>): NewEntry[] {
  const { role, content, id = newId(), timestamp = now(), usage, model, injected } = message;
  const parts = typeof content === 'string' ? [{ type: 'text', text: content } as const] : content;
  return splitByResult(parts).map((own, place) => ({
    id: place === 0 ? id : `${id}:${place + 1}`,
    role,
    parts: own,
    timestamp,
    ...(usage ? { usage } : {}),
    ...(model === undefined ? {} : { model }),
    ...(injected ? { injected } : {}),
  }));
}

function splitByResult(parts: readonly Part[]): (readonly Part[])[] {
  const starts = parts.flatMap((part, place) => (part.type === 'tool_result' && place > 0 ? [place] : []));
  return [0, ...starts].map((start, index) => parts.slice(start, starts[index]));
}

export function sentMessage({
  key,
  role,
  kind,
  parts,
  tokens,
  timestamp,
  injected,
  block,
}: ContextMessage): SentMessage {
  return {
    id: key,
    role,
    content: contentOf(parts),
    kind,
    tokens,
    ...(timestamp === null ? {} : { timestamp }),
    ...(injected ? { injected } : {}),
    ...(block ? { block } : {}),
  };
}
