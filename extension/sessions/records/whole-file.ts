import { parsedJson } from '../../platform/json/json-text';
import { isRecord, type JsonRecord } from '../../platform/json/schemas';
import type { Line } from '../../platform/lines/line';

export type WholeReading =
  /** The file has JSON lines, or no line was read yet. */
  | { readonly kind: 'none' }
  | {
      readonly kind: 'object';
      readonly object: JsonRecord;
      readonly text: string;
      /** The line of the file at which the text starts, 1-based. */
      readonly firstLine: number;
    }
  /** Truncated or damaged. `line` is the last one. */
  | { readonly kind: 'broken'; readonly line: number };

/** Collects the lines of a file that is one JSON object, pretty-printed or on one line. */
export class WholeFile {
  #texts: string[] = [];
  /** The object's first line; the file may begin with empty lines. */
  #firstLine = 1;
  #hasJsonLines = false;
  #reading: WholeReading | null = null;

  /** `isObjectStart`: whether the file is one object, given its first line. A lone brace always starts one. */
  constructor(private readonly isObjectStart: (text: string) => boolean = () => false) {}

  /** Whether this line belongs to such a file. The first line shows whether the file has JSON lines. */
  takes(line: Line): boolean {
    if (this.#hasJsonLines) return false;
    if (this.#texts.length === 0) {
      if (line.text.trim() === '') return true;
      this.#hasJsonLines = line.text.trim() !== '{' && !this.isObjectStart(line.text);
      this.#firstLine = line.number;
    }
    if (this.#hasJsonLines) return false;
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
    // The last brace may be on a line without a line break, which is read later.
    const object = parsedJson(text) ?? parsedJson(`${text}\n}`);
    const firstLine = this.#firstLine;
    if (!isRecord(object)) return { kind: 'broken', line: firstLine + this.#texts.length - 1 };
    return { kind: 'object', object, text, firstLine };
  }
}
