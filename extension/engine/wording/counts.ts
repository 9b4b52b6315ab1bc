import { type LocalizableText, localizable } from './localizable-text';

/** `1 block`, `2 blocks`, in English, for logs and the command line. The noun takes an s. */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

/** Makes a sentence of a count with its noun, such as "6 turns". */
export type SentenceOf = (counted: LocalizableText) => LocalizableText;

export function messageCount(count: number): LocalizableText {
  return count === 1 ? localizable('1 message') : localizable('{0} messages', count);
}

export function agentMessageCount(count: number): LocalizableText {
  return count === 1 ? localizable('1 message of the agent') : localizable('{0} messages of the agent', count);
}

export function turnCount(count: number): LocalizableText {
  return count === 1 ? localizable('1 turn') : localizable('{0} turns', count);
}

export function completeTurnCount(count: number): LocalizableText {
  return count === 1 ? localizable('1 complete turn') : localizable('{0} complete turns', count);
}

export function toolCallCount(count: number): LocalizableText {
  return count === 1 ? localizable('1 tool call') : localizable('{0} tool calls', count);
}

export function toolResultCount(count: number): LocalizableText {
  return count === 1 ? localizable('1 tool result') : localizable('{0} tool results', count);
}
