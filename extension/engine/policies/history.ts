/**
 * One event in an agent's history, as a policy sees it. The keys are exact (docs/specification.md, "Policies"), so that a
 * program can pass the history that it keeps without converting it.
 */
export interface HistoryEntry {
  readonly type: 'step' | 'user' | 'summary' | 'historical_summary';
  /** Of a step: what was done, by its kind (`code`, `search`, the name of a tool). */
  readonly action?: string;
  readonly output?: string;
  readonly error?: string;
  /** 0 to 1, where somebody judged the step. */
  readonly reward?: number;
  /** Of everything but a step: the text. */
  readonly content?: string;
  readonly tier?: string;
  /** Of a summary: how many original entries it stands for. */
  readonly entries_summarized?: number;
}

/** How many original entries these are, or stand for. What a historical summary tells of is counted elsewhere. */
export function originalEntries(entries: readonly HistoryEntry[]): number {
  return entries.reduce((total, entry) => total + entriesIn(entry), 0);
}

export function entriesIn({ type, entries_summarized }: HistoryEntry): number {
  if (type === 'historical_summary') return 0;
  return type === 'summary' ? (entries_summarized ?? 1) : 1;
}

/** A person's message counts as a step like any other, so that the numbers in a summary add up. */
export function actionOf({ type, action }: HistoryEntry): string {
  if (type === 'step') return action ?? 'step';
  return type === 'user' ? 'user' : 'summary';
}

export function steps(count: number): string {
  return `${count} ${count === 1 ? 'step' : 'steps'}`;
}

/** What stands for entries of which nothing is kept. */
export function discarded(count: number): string {
  return `[${count} earlier ${count === 1 ? 'entry' : 'entries'} discarded]`;
}

const cutMark = '...';

/** At most so many UTF-16 units, the mark included; cut between words where there are any. */
export function cut(text: string, units: number): string {
  if (text.length <= units) return text;
  const room = Math.max(0, Math.floor(units) - cutMark.length);
  const head = text.slice(0, room);
  const space = text[room] === ' ' ? room : head.lastIndexOf(' ');
  return `${(space > 0 ? head.slice(0, space) : wholeCharacters(head)).trimEnd()}${cutMark}`;
}

/** Half a surrogate pair is no character. */
function wholeCharacters(head: string): string {
  return head.replace(/[\uD800-\uDBFF]$/, '');
}
