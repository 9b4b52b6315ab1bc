import type { Context, ContextMessage } from '../engine/conversation/context';
import { readableText } from '../engine/conversation/entry';

/** What a message says, as plain text. Reasoning is left out: providers do not take it back as text. */
export function messageText({ parts }: ContextMessage): string {
  return parts
    .filter((part) => part.type !== 'reasoning')
    .map(readableText)
    .filter((text) => text !== '')
    .join('\n');
}

/** The context for a person to read: a heading line for each message, then what it says. */
export function contextAsText({ messages }: Pick<Context, 'messages'>): string {
  return messages
    .map((message) => `── ${message.kind} · ${message.tokens} tokens\n${messageText(message)}`)
    .join('\n\n');
}
