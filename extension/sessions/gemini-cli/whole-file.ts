import { asRecord, type JsonRecord } from '../records/json';
import type { Line } from '../records/line';

/** Versions before the log kept a session as one object, pretty-printed with two spaces. */
export class WholeFile {
  #texts: string[] | null = null;
  #messageLines: number[] = [];
  #began = false;

  /** Whether this line is of such a file: its first line that says something is a lone brace. */
  takes(line: Line): boolean {
    if (!this.#began && line.text.trim() !== '') {
      this.#began = true;
      if (line.text.trim() === '{') this.#texts = [];
    }
    if (this.#texts === null) return false;
    this.#texts.push(line.text);
    if (line.text === '    {') this.#messageLines.push(line.number);
    return true;
  }

  isEnd(line: Line): boolean {
    return this.#texts !== null && line.text.trim() === '}';
  }

  /** The object, once its last line is there. */
  read(line: Line): JsonRecord | null {
    if (this.#texts === null || line.text !== '}') return null;
    try {
      return asRecord(JSON.parse(this.#texts.join('\n')));
    } catch {
      // A brace of something within; what never becomes whole is told of by the builder.
      return null;
    }
  }

  lineOf(message: number): number {
    return this.#messageLines[message] ?? 1;
  }

  get isWhole(): boolean {
    return this.#texts !== null;
  }
}
