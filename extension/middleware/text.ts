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
export function contextAsText({ messages, tokens }: Context): string {
  return messagesAsText(messages, tokens.ofMessages);
}

/** `tokens`: of each message, in their order. */
export function messagesAsText(messages: readonly ContextMessage[], tokens: readonly number[]): string {
  return messages
    .map((message, index) => `── ${message.kind} · ${tokens[index] ?? 0} tokens\n${messageText(message)}`)
    .join('\n\n');
}
