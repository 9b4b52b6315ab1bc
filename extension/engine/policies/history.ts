import { counted } from '../wording/counts';
/**
 * One event in an agent's history, as a policy sees it. The keys are exact (docs/specification/policies.md, "Policies"), so that a
 * program can pass its own history unconverted.
 */
export interface HistoryEntry {
  readonly type: 'step' | 'user' | 'summary' | 'historical_summary';
  /** For a step: the kind of action (`code`, `search`, the name of a tool). */
  readonly action?: string;
  readonly output?: string;
  readonly error?: string;
  /** 0 to 1, if the step was judged. */
  readonly reward?: number;
  /** The text of every entry that is not a step. */
  readonly content?: string;
  readonly tier?: string;
  /** For a summary: number of original entries that it stands for. */
  readonly entries_summarized?: number;
}

/** Number of original entries that these are or stand for. Historical summaries count elsewhere. */
export function originalEntries(entries: readonly HistoryEntry[]): number {
  return entries.reduce((total, entry) => total + entriesIn(entry), 0);
}

export function entriesIn({ type, entries_summarized }: HistoryEntry): number {
  if (type === 'historical_summary') return 0;
  return type === 'summary' ? (entries_summarized ?? 1) : 1;
}

/** A user message counts as a step, so that the numbers in a summary add up. */
export function actionOf({ type, action }: HistoryEntry): string {
  if (type === 'step') return action ?? 'step';
  return type === 'user' ? 'user' : 'summary';
}

export function steps(count: number): string {
  return counted(count, 'step');
}

/** The text in place of entries that are dropped entirely. */
export function discarded(count: number): string {
  return `[${count} earlier ${count === 1 ? 'entry' : 'entries'} discarded]`;
}

const cutMark = '...';

/** Cuts to at most `units` UTF-16 units including the mark, between words if possible. */
export function cut(text: string, units: number): string {
  if (text.length <= units) return text;
  const room = Math.max(0, Math.floor(units) - cutMark.length);
  const head = text.slice(0, room);
  const space = text[room] === ' ' ? room : head.lastIndexOf(' ');
  return `${(space > 0 ? head.slice(0, space) : wholeCharacters(head)).trimEnd()}${cutMark}`;
}

/** Drops half a surrogate pair at the end. */
function wholeCharacters(head: string): string {
  return head.replace(/[\uD800-\uDBFF]$/, '');
}
