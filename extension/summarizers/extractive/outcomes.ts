import { type Entry, isPrompt, textOf, toolCalls } from '../../engine/conversation/entry';
import { isStep, type Remark } from '../../engine/language/remarks';

/** What came of a message of the person: the agent answered it, and what its closing reply says first. */
export interface Outcome {
  /** Null if the reply states nothing that could be quoted. */
  readonly remark: Remark | null;
}

/** A longer sentence is no outcome that could stand beside a request. In UTF-16 units. */
const maxLength = 160;

/**
 * Outcomes by the entry of the message: of each turn that ended with a reply without tool calls. Of the newest turn there
 * is none, as its reply stands by itself.
 */
export function outcomesIn(entries: readonly Entry[], remarks: readonly Remark[]): ReadonlyMap<string, Outcome> {
  const outcomes = new Map<string, Outcome>();
  const told = Map.groupBy(remarks, ({ entryId }) => entryId);
  for (const [prompt, replies] of [...turnsOf(entries)].slice(0, -1)) {
    const last = replies.at(-1);
    if (last !== undefined && isClosing(last)) outcomes.set(prompt.id, outcomeIn(replies.filter(isClosing), told));
  }
  return outcomes;
}

function isClosing({ parts }: Entry): boolean {
  return toolCalls(parts).length === 0 && textOf(parts).trim() !== '';
}

function turnsOf(entries: readonly Entry[]): Map<Entry, Entry[]> {
  const turns = new Map<Entry, Entry[]>();
  let replies: Entry[] = [];
  for (const entry of entries) {
    if (isPrompt(entry)) {
      replies = [];
      turns.set(entry, replies);
    } else if (entry.role === 'assistant') replies.push(entry);
  }
  return turns;
}

/** Notices of background work make an agent reply again: the reply that says most closes the turn. */
function outcomeIn(replies: readonly Entry[], told: ReadonlyMap<string, readonly Remark[]>): Outcome {
  const remarks = replies.map(({ id }) => told.get(id) ?? []);
  const fullest = remarks.reduce((most, own) => (own.length >= most.length ? own : most), []);
  const said = fullest.filter(({ kind, text, isEarlier }) => {
    return kind !== 'open' && !isEarlier && !isStep(text) && text.length <= maxLength;
  });
  return { remark: said.find(({ kind }) => kind === 'report') ?? said[0] ?? null };
}
