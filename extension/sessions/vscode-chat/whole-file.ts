import { asRecord, type JsonRecord } from '../records/json';
import type { Line } from '../records/line';
import { placeName, placesIn } from './places';

export type WholeReading =
  /** The file is a log, or no line was read yet. */
  | { readonly kind: 'none' }
  | {
      readonly kind: 'chat';
      readonly state: JsonRecord;
      readonly lineOf: (request: number) => number;
      readonly lineOfPart: (request: number, part: number) => number;
    }
  | { readonly kind: 'broken'; readonly line: number; readonly message: string };

/** A file that is one JSON object, pretty-printed or on one line. */
export class WholeFile {
  #texts: string[] = [];
  /** The object's first line; the file may begin with empty lines. */
  #firstLine = 1;
  #isLog = false;
  #reading: WholeReading | null = null;

  /** Whether this line belongs to such a file. The first line shows whether the file is a log. */
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

  /** Parsed on demand, and again only after more lines. */
  read(): WholeReading {
    this.#reading ??= this.#read();
    return this.#reading;
  }

  #read(): WholeReading {
    if (this.#texts.length === 0) return { kind: 'none' };
    const text = this.#texts.join('\n');
    const state = parsed(text) ?? parsed(`${text}\n}`);
    if (state === null)
      return { kind: 'broken', line: this.#firstLine + this.#texts.length - 1, message: invalidMessage };
    const places = placesIn(text);
    const before = this.#firstLine - 1;
    const lineOf = (request: number) => (places.get(placeName(request)) ?? 1) + before;
    const lineOfPart = (request: number, part: number) =>
      (places.get(placeName(request, part)) ?? places.get(placeName(request)) ?? 1) + before;
    return { kind: 'chat', state, lineOf, lineOfPart };
  }
}

const invalidMessage = 'The chat in this file is not valid JSON: it is truncated or damaged, so nothing is shown';

/** A lone brace starts a pretty-printed file. Otherwise the line must contain the requests, as no line of a log does. */
function beginsWhole(text: string): boolean {
  if (text.trim() === '{') return true;
  const record = parsed(text);
  return record !== null && Array.isArray(record.requests) && record.kind === undefined;
}

/** Null if the text is not a complete object. */
function parsed(text: string): JsonRecord | null {
  try {
    return asRecord(JSON.parse(text));
  } catch {
    // The caller reports it, with the line.
    return null;
  }
}
