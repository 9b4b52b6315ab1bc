import type { ImagePart, Part, Role } from '../../engine/conversation/entry';
import type { ReceivedMessage, ReceivedPart } from '../recognition/received';
import { remainingBlock, remainingMessages } from './content';
import type { Alteration, MessageFormat } from './format';

/** A message independent of any provider: text, or parts of the engine. */
export interface PlainMessage {
  readonly role: Role;
  readonly content: string | readonly Part[];
}

/** Images after a result belong to it. */
export const plainFormat: MessageFormat<PlainMessage> = {
  groupsOf: (messages) => messages.map((message) => ({ messages: [message], said: said(message) })),
  altered: ({ messages }, alteration) => messages.flatMap((message) => alteredMessage(message, alteration)),
  made: ({ role, parts }) => [{ role, content: contentOf(parts) }],
};

function said({ role, content }: PlainMessage): ReceivedMessage {
  const parts = typeof content === 'string' ? [{ type: 'text', text: content } as const] : content;
  return { role: role === 'tool' ? 'user' : role, parts: received(parts) };
}

function received(parts: readonly Part[]): ReceivedPart[] {
  const read: ReceivedPart[] = [];
  let images: ImagePart[] | null = null;
  for (const part of parts) {
    if (part.type === 'tool_definitions') continue;
    if (part.type === 'image' && images) images.push(part);
    else if (part.type === 'tool_result') {
      images = [];
      read.push({ ...part, images });
    } else {
      images = null;
      read.push(part);
    }
  }
  return read;
}

function alteredMessage(message: PlainMessage, alteration: Alteration): PlainMessage[] {
  const { results, keepsRest, remaining } = alteration;
  if (typeof message.content === 'string') return keepsRest ? [message] : remainingMessages(message, remaining);
  const rest = (part: Part) => (keepsRest ? [part] : remaining ? remainingBlock(part, remaining) : []);
  /** Whether the result stays that the images here belong to; null: they belong to none. */
  let stays: boolean | null = null;
  const content = message.content.flatMap((part): Part[] => {
    if (part.type === 'image' && stays !== null) return stays ? [part] : [];
    stays = null;
    if (part.type !== 'tool_result') return rest(part);
    const fate = results.get(part.callId);
    stays = fate?.kind !== 'replaced';
    if (fate?.kind === 'pruned') return [{ ...part, text: fate.text }];
    return stays ? [part] : [];
  });
  return content.length === 0 ? [] : [{ ...message, content }];
}

export function contentOf(parts: readonly Part[]): PlainMessage['content'] {
  const [only, ...others] = parts;
  return only?.type === 'text' && others.length === 0 ? only.text : parts;
}
