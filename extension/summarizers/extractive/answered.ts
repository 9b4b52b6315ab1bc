import { type Entry, isPrompt, textOf, toolCalls } from '../../engine/conversation/entry';

/**
 * The ids of the person's messages whose turn ended with a reply without tool calls. Not of the newest turn, as its reply
 * stands by itself.
 */
export function answeredIn(entries: readonly Entry[]): ReadonlySet<string> {
  const answered = new Set<string>();
  let prompt: Entry | null = null;
  let newestReply: Entry | null = null;
  for (const entry of entries) {
    if (isPrompt(entry)) {
      if (prompt !== null && newestReply !== null && isClosing(newestReply)) answered.add(prompt.id);
      prompt = entry;
      newestReply = null;
    } else if (entry.role === 'assistant') newestReply = entry;
  }
  return answered;
}

function isClosing({ parts }: Entry): boolean {
  return toolCalls(parts).length === 0 && textOf(parts).trim() !== '';
}
