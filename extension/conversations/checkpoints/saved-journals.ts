import * as s from '../../platform/json/schemas';

/** The journal of one tenant in the state of an agent. */
export interface SavedJournal {
  /** Tenant; null for an agent without tenants. */
  readonly scope: string | null;
  /** The lines of the journal, as in a file. */
  readonly lines: readonly string[];
}

/** The part of a journal that is written to the state: lines that follow the first `from` lines of a journal. */
export interface AddedLines extends SavedJournal {
  readonly from: number;
}

/** The lines of one tenant's journal, as found in the state of an agent. */
export interface SavedLines {
  readonly lines: readonly string[];
  /** False if the state has something else at this place; it is left unchanged. */
  readonly isReadable: boolean;
}

const noLines: SavedLines = { lines: [], isReadable: true };

export function savedLines(value: unknown, scope: string | undefined): SavedLines {
  if (value === undefined || value === null) return noLines;
  if (!areJournals(value)) return { lines: [], isReadable: false };
  const own = value.find((journal) => journal.scope === (scope ?? null));
  return own === undefined ? noLines : { lines: own.lines, isReadable: true };
}

/** Adds lines to the state. Lines that arrive twice, because a call was repeated, are added once. */
export function withAdded(value: unknown, added: unknown): unknown {
  if (!isAdded(added)) return value;
  const journals = value ?? [];
  if (!areJournals(journals)) return value;
  const own = journals.find(({ scope }) => scope === added.scope) ?? { scope: added.scope, lines: [] };
  const lines = joined(own.lines, added);
  if (lines === own.lines) return value;
  return [...journals.filter((journal) => journal !== own), { scope: own.scope, lines }];
}

/** If two calls wrote at the same place, the first one counts. */
function joined(lines: readonly string[], { from, lines: added }: AddedLines): readonly string[] {
  const there = lines.slice(from);
  const isNext = from <= lines.length && there.length < added.length && startsWith(added, there);
  return isNext ? [...lines, ...added.slice(there.length)] : lines;
}

export function startsWith(lines: readonly string[], beginning: readonly string[]): boolean {
  return beginning.length <= lines.length && beginning.every((line, index) => line === lines[index]);
}

function areJournals(value: unknown): value is readonly SavedJournal[] {
  return Array.isArray(value) && value.every(isJournal);
}

function isJournal(value: unknown): value is SavedJournal {
  if (!s.isRecord(value)) return false;
  const { scope, lines } = value;
  const isScope = scope === null || typeof scope === 'string';
  return isScope && Array.isArray(lines) && lines.every((line) => typeof line === 'string');
}

function isAdded(value: unknown): value is AddedLines {
  return isJournal(value) && typeof (value as Partial<AddedLines>).from === 'number';
}
