import { asRecord, type JsonRecord } from '../records/json';
import type { Line } from '../records/line';
import { placeName, placesIn } from './places';

export type WholeReading =
  /** The file is a log, or nothing was read yet. */
  | { readonly kind: 'none' }
  | {
      readonly kind: 'chat';
      readonly state: JsonRecord;
      readonly lineOf: (request: number) => number;
      readonly lineOfPart: (request: number, part: number) => number;
    }
  | { readonly kind: 'broken'; readonly line: number; readonly message: string };

/** A file that is one JSON object: pretty-printed over many lines, or on one. */
export class WholeFile {
  #texts: string[] = [];
  /** Empty lines in front of the object. */
  #firstLine = 1;
  #isLog = false;
  #reading: WholeReading | null = null;

  /** Whether this line is of such a file. A log is told by its first line. */
  takes(line: Line): boolean {
    if (this.#isLog) return false;
    if (this.#texts.length === 0) {
      if (line.text.trim() === '') return true;
      this.#isLog = !beginsWhole(line.text);
      this.#firstLine = line.number;
    }
    if (this.#isLog) return false;
    this.#texts.push(line.text);
    this.#reading = null;
    return true;
  }

  isEnd(line: Line): boolean {
    return this.#texts.length > 0 && line.text.trim() === '}';
  }

  /** Read when it is asked for, and again only when there are more lines. */
  read(): WholeReading {
    this.#reading ??= this.#read();
    return this.#reading;
  }

  #read(): WholeReading {
    if (this.#texts.length === 0) return { kind: 'none' };
    const text = this.#texts.join('\n');
    const state = parsed(text) ?? parsed(`${text}\n}`);
    if (state === null) return { kind: 'broken', line: this.#firstLine + this.#texts.length - 1, message: cutOff };
    const places = placesIn(text);
    const before = this.#firstLine - 1;
    const lineOf = (request: number) => (places.get(placeName(request)) ?? 1) + before;
    const lineOfPart = (request: number, part: number) =>
      (places.get(placeName(request, part)) ?? places.get(placeName(request)) ?? 1) + before;
    return { kind: 'chat', state, lineOf, lineOfPart };
  }
}

const cutOff = 'The chat in this file is not valid JSON up to its end: it is cut off or damaged, so nothing is shown';

/** A lone brace opens a pretty-printed file; otherwise the line must have the requests, which no line of a log has. */
function beginsWhole(text: string): boolean {
  if (text.trim() === '{') return true;
  const record = parsed(text);
  return record !== null && Array.isArray(record.requests) && record.kind === undefined;
}

/** Null where it is no object, or not whole: the last brace may stand on a line without an end and come later. */
function parsed(text: string): JsonRecord | null {
  try {
    return asRecord(JSON.parse(text));
  } catch {
    // The caller says so, with the line.
    return null;
  }
}
