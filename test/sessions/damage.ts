import type { LineFault } from '../../extension/platform/lines/line';
import { LineAssembler } from '../../extension/platform/lines/line-assembler';
import { LineMender } from '../../extension/platform/lines/line-mender';
import type { LineFormat } from '../../extension/sessions/adapter';
import type { ParsedSession } from '../../extension/sessions/session';

/** Damage that crashes, power losses and careless writers do to a file of lines, and what remains of it. */
export interface Damaged {
  /** The content of the broken file. */
  readonly text: string;
  /** The lines of the sound file that can still be read. */
  readonly readable: readonly string[];
  /** The line of the broken file that the damage is on, 1-based. */
  readonly line: number;
}

/**
 * Cuts a record off where its program was killed; the next program appends to it. `at`: where in the record, from 0 to
 * 1.
 */
export function tornWrite(lines: readonly string[], index: number, at: number): Damaged {
  const torn = (lines[index] ?? '').slice(0, placeIn(lines[index], at));
  const broken = [...lines.slice(0, index), torn + (lines[index + 1] ?? ''), ...lines.slice(index + 2)];
  return { text: textOf(broken), readable: without(lines, index, 1), line: index + 1 };
}

/** Two records without the line break between them. */
export function gluedRecords(lines: readonly string[], index: number): Damaged {
  const broken = [...lines.slice(0, index), lines.slice(index, index + 2).join(''), ...lines.slice(index + 2)];
  return { text: textOf(broken), readable: lines, line: index + 1 };
}

/** Writes the line breaks in the texts of one record unescaped. Null if it has none. */
export function rawLineBreaks(lines: readonly string[], index: number): Damaged | null {
  const escaped = /(?<!\\)((?:\\\\)*)\\n/g;
  const raw = (lines[index] ?? '').replace(escaped, '$1\n').replace(escaped, '$1\n');
  if (!raw.includes('\n')) return null;
  const broken = [...lines.slice(0, index), raw, ...lines.slice(index + 1)];
  return { text: textOf(broken), readable: lines, line: index + 1 };
}

/**
 * Replaces a part of the file by zero bytes, from a place in one record to a place in a later one, line breaks
 * included.
 */
export function zeroBytes(lines: readonly string[], first: number, last: number, at: number): Damaged {
  const beginning = (lines[first] ?? '').slice(0, placeIn(lines[first], at));
  const end = (lines[last] ?? '').slice(placeIn(lines[last], at));
  const lost = lines.slice(first, last + 1).join('\n').length - beginning.length - end.length;
  const broken = [
    ...lines.slice(0, first),
    `${beginning}${'\0'.repeat(Math.max(1, lost))}${end}`,
    ...lines.slice(last + 1),
  ];
  return { text: textOf(broken), readable: without(lines, first, last - first + 1), line: first + 1 };
}

function placeIn(line = '', at: number): number {
  return Math.max(1, Math.min(line.length - 1, Math.floor(line.length * at)));
}

function without(lines: readonly string[], index: number, count: number): string[] {
  return [...lines.slice(0, index), ...lines.slice(index + count)];
}

function textOf(lines: readonly string[]): string {
  return lines.map((line) => `${line}\n`).join('');
}

export interface Read {
  readonly session: ParsedSession;
  readonly faults: readonly LineFault[];
}

/** A session made of the content of a file, as a session reading processes it. */
export function readText(format: LineFormat, text: string): Read {
  const builder = format.createBuilder('session.jsonl');
  const { lines, faults } = new LineMender().take(new LineAssembler().push(Buffer.from(text)));
  for (const line of lines) builder.accept(line);
  return { session: builder.session(), faults };
}

/** The conversation without the line numbers of its entries, which damage changes. */
export function conversationOf({ conversation }: ParsedSession): unknown {
  const text = JSON.stringify(conversation).replace(/\b(line|compaction)-\d+(#\d+)?/g, '$1');
  return JSON.parse(text, (key, value: unknown) => (key === 'origin' ? undefined : value));
}
