import { type Entry, isPrompt, textOf, toolCalls } from '../../engine/conversation/entry';
import type { Remark } from '../../engine/language/remarks';

/** What came of a message of the person: the agent answered it, and what its closing reply says first. */
export interface Outcome {
  /** Null if the reply states nothing that could be quoted. */
  readonly remark: Remark | null;
}

/** A longer sentence is no outcome that could stand beside a request. In UTF-16 units. */
const maxLength = 160;

/** Outcomes by the entry of the message: of each turn that ended with a reply without tool calls. */
export function outcomesIn(entries: readonly Entry[], remarks: readonly Remark[]): ReadonlyMap<string, Outcome> {
  const outcomes = new Map<string, Outcome>();
  let prompt: Entry | null = null;
  let last: Entry | null = null;
  const close = () => {
    if (prompt !== null && last !== null && isClosing(last)) outcomes.set(prompt.id, outcomeIn(last, remarks));
  };
  for (const entry of entries) {
    if (isPrompt(entry)) {
      close();
      prompt = entry;
      last = null;
    } else if (entry.role === 'assistant') last = entry;
  }
  close();
  return outcomes;
}

function isClosing({ parts }: Entry): boolean {
  return toolCalls(parts).length === 0 && textOf(parts).trim() !== '';
}

function outcomeIn({ id }: Entry, remarks: readonly Remark[]): Outcome {
  const said = remarks.filter(({ entryId, kind, text, isEarlier }) => {
    return entryId === id && kind !== 'open' && !isEarlier && text.length <= maxLength;
  });
  return { remark: said.find(({ kind }) => kind === 'report') ?? said[0] ?? null };
}
