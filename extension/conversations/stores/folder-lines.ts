import { checkedLine, readCheckedLine } from '../../engine/journal/checked-line';
import { localizable } from '../../engine/wording/localizable-text';
import { sha256Of } from '../../platform/files/sha256';
import { lossIn, lostRecord } from './lost-record';
import type { ConversationDescription } from './record-store';

/** First line of a file. If it was damaged, another one later in the file replaces it. */
export interface Header extends ConversationDescription {
  readonly type: 'strata-records';
  readonly scope: string;
  readonly id: string;
}

/** Each later line. Places count from 0; `first` and `last` are those of one append, which may be incomplete if its writer was killed. */
interface PlacedRecord {
  readonly at: number;
  readonly first: number;
  readonly last: number;
  readonly text: string;
}

type Line =
  | { readonly kind: 'header'; readonly header: Header }
  | ({ readonly kind: 'record' } & PlacedRecord)
  | { readonly kind: 'damaged' };

export function headerLine(header: Omit<Header, 'type'>): string {
  return `${checkedLine(JSON.stringify({ type: 'strata-records', ...header }), sha256Of)}\n`;
}

/** The lines of one append. */
export function recordLines(texts: readonly string[], first: number): string {
  const last = first + texts.length - 1;
  const lines = texts.map((text, index) => JSON.stringify({ at: first + index, first, last, text }));
  return lines.map((line) => `${checkedLine(line, sha256Of)}\n`).join('');
}

/** Null if the line is not an intact header. */
export function headerIn(text: string): Header | null {
  const line = readFolderLine(text);
  return line.kind === 'header' ? line.header : null;
}

function readFolderLine(text: string): Line {
  const checked = readCheckedLine(text, sha256Of);
  if (checked.kind !== 'intact') return { kind: 'damaged' };
  const body = JSON.parse(checked.body);
  return body.type === 'strata-records' ? { kind: 'header', header: body } : { kind: 'record', ...body };
}

/** A place between two lines of a file. */
export interface Place {
  readonly bytes: number;
  readonly lines: number;
  /** Number of records before it. */
  readonly length: number;
}

export const beginning: Place = { bytes: 0, lines: 0, length: 0 };

export interface ReadLines {
  /** The records from the given place on, with a lost record for each damaged one. */
  readonly records: readonly string[];
  /** Number of records of the file. */
  readonly length: number;
  /** Number of valid bytes. The rest was left by a killed writer or a power loss. */
  readonly bytes: number;
  /** False if the line break at its end is damaged. */
  readonly endsLine: boolean;
  /** The place after the last intact record, and the place before it: the newest record is read again with new ones. */
  readonly known: { readonly end: Place; readonly lastLine: Place } | null;
}

const lineFeed = 0x0a;

/** @param bytes the file from this place on */
export function readLines(bytes: Buffer, start: Place, file: string): ReadLines {
  const reading = new Reading(start, file);
  let from = 0;
  for (let end = bytes.indexOf(lineFeed); end !== -1; end = bytes.indexOf(lineFeed, from)) {
    reading.take(readFolderLine(bytes.toString('utf8', from, end)), end + 1 - from);
    from = end + 1;
  }
  const rest = bytes.toString('utf8', from);
  const last = readFolderLine(rest);
  // A record whose line break is damaged, as opposed to one whose line break is not written yet.
  const isWhole = last.kind !== 'damaged' && !rest.endsWith('}');
  if (isWhole) reading.take(last, bytes.length - from);
  const read = reading.end();
  return isWhole ? { ...read, endsLine: false, known: null } : read;
}

class Reading {
  readonly #records: string[] = [];
  #place: Place;
  /** The position at which the newest append begins, if that is incomplete. */
  #unfinished: Place | null = null;
  #known: ReadLines['known'] = null;

  constructor(
    private readonly start: Place,
    private readonly file: string,
  ) {
    this.#place = start;
  }

  take(line: Line, size: number): void {
    const before = this.#place;
    const number = before.lines + 1;
    if (line.kind === 'damaged') {
      if (number > 1) this.#records.push(this.#lost(number));
      // It has its line break, so its writer was not killed before writing it.
      this.#unfinished = null;
    }
    if (line.kind === 'record') {
      this.#fillTo(line.at, number);
      this.#records.push(line.text);
      if (line.at === line.first) this.#unfinished = { ...before, length: line.at };
      if (line.at === line.last) this.#unfinished = null;
    }
    const length = this.start.length + this.#records.length;
    this.#place = { bytes: before.bytes + size, lines: number, length };
    if (line.kind === 'record' && this.#unfinished === null)
      this.#known = { end: this.#place, lastLine: { ...before, length: line.at } };
  }

  /** Two damaged lines may have been one record, and one may have been two. */
  #fillTo(at: number, number: number): void {
    const wanted = at - this.start.length;
    while (this.#records.length < wanted) this.#records.push(this.#lost(number - 1));
    while (this.#records.length > wanted && lossIn(this.#records.at(-1) ?? '') !== null) this.#records.pop();
  }

  #lost(line: number): string {
    return lostRecord(localizable('its checksum does not match ({0}:{1})', this.file, line));
  }

  end(): ReadLines {
    const { bytes, length } = this.#unfinished ?? this.#place;
    const records = this.#records.slice(0, length - this.start.length);
    return { records, length, bytes, endsLine: true, known: this.#known };
  }
}
