import { endOfString } from './json-text';

/** An object or list that is not closed yet. */
export interface OpenValue {
  readonly isList: boolean;
  /** The name or index of its present item. Kept only in the outermost values, up to `deepestKey`. */
  key: string | number;
}

/** Called for each object and list of a text. `open` are the values around it, outermost first. */
interface JsonVisitor {
  /** `line` is 1-based; the value starts at `start`. */
  enter(open: readonly OpenValue[], line: number, start: number): void;
  /** `end` is the position after the value. */
  leave?(open: readonly OpenValue[], end: number): void;
}

/** Visits the objects and lists of a JSON text in one pass. The text must be valid JSON. */
export function scanJson(text: string, visitor: JsonVisitor): void {
  const scan = new Scan(text, visitor);
  while (scan.next());
}

const code = {
  newline: 0x0a,
  quote: 0x22,
  comma: 0x2c,
  colon: 0x3a,
  bracket: 0x5b,
  bracketEnd: 0x5d,
  brace: 0x7b,
  braceEnd: 0x7d,
};

class Scan {
  readonly #open: OpenValue[] = [];
  #line = 1;
  #position = 0;
  /** Where the last string is; it is a property name if a colon follows. */
  #string = { start: 0, end: 0 };

  constructor(
    private readonly text: string,
    private readonly visitor: JsonVisitor,
  ) {}

  /** Advances to the end of the next mark; false at the end of the text. */
  next(): boolean {
    const mark = this.text.charCodeAt(this.#position);
    if (Number.isNaN(mark)) return false;
    this.#position += 1;
    if (mark === code.quote) this.#passString();
    else if (mark === code.brace || mark === code.bracket) this.#enter(mark === code.bracket);
    else if (mark === code.braceEnd || mark === code.bracketEnd) this.#leave();
    else if (mark === code.newline) this.#line += 1;
    else if (mark === code.colon) this.#name();
    else if (mark === code.comma) this.#count();
    return true;
  }

  #enter(isList: boolean): void {
    this.visitor.enter(this.#open, this.#line, this.#position - 1);
    this.#open.push({ isList, key: isList ? 0 : '' });
  }

  #leave(): void {
    this.#open.pop();
    this.visitor.leave?.(this.#open, this.#position);
  }

  #name(): void {
    if (this.#open.length > deepestKey) return;
    const inside = this.#open.at(-1);
    const { start, end } = this.#string;
    if (inside !== undefined) inside.key = end - start <= maximumName ? this.text.slice(start, end) : '';
  }

  #count(): void {
    if (this.#open.length > deepestKey) return;
    const inside = this.#open.at(-1);
    if (typeof inside?.key === 'number') inside.key += 1;
  }

  #passString(): void {
    const start = this.#position;
    this.#position = endOfString(this.text, start) ?? this.text.length;
    this.#string = { start, end: this.#position - 1 };
  }
}

/** How many values around an item have keys. No reader needs more, and most items of a file are deeper. */
const deepestKey = 4;
/** Longer strings are not property names. */
const maximumName = 100;
