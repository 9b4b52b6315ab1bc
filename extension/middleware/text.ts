import type { Context, ContextMessage } from '../engine/conversation/context';
import { inputText, type Part, readableText, type ToolCallPart } from '../engine/conversation/entry';

/** The plain text of a message, without reasoning, which providers do not accept as text. */
export function messageText({ parts }: ContextMessage): string {
  return parts
    .filter((part) => part.type !== 'reasoning')
    .map(partText)
    .filter((text) => text !== '')
    .join('\n');
}

function partText(part: Part): string {
  return part.type === 'tool_call' ? callText(part) : readableText(part);
}

/** A call as readable text: its name, then each argument, long ones below their name. */
function callText({ name, input }: ToolCallPart): string {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return `${name} ${inputText(input)}`;
  const fields = Object.entries(input).map(([field, value]) => {
    const text = inputText(value);
    return text.includes('\n') ? `${field}:\n${text}` : `${field}: ${text}`;
  });
  return [name, ...fields].join('\n');
}

/** The context as readable text: of each message a heading line, then its content. */
export function contextTexts({ messages, tokens }: Context): readonly string[] {
  return textsOf(messages, tokens.ofMessages);
}

/** `tokens`: of each message, in their order. */
export function messagesAsText(messages: readonly ContextMessage[], tokens: readonly number[]): string {
  return textsOf(messages, tokens).join('\n\n');
}

function textsOf(messages: readonly ContextMessage[], tokens: readonly number[]): readonly string[] {
  return messages.map(
    (message, index) => `── ${labelOf(message)} · ${tokens[index] ?? 0} tokens\n${messageText(message)}`,
  );
}

/** Text that the agent's program wrote is not a message of the person. */
function labelOf({ kind, injected }: ContextMessage): string {
  return injected && kind === 'user' ? 'injected' : kind;
}
