/** An object or list that is not closed yet. */
export interface OpenValue {
  readonly isList: boolean;
  /** The name or index of its present item. */
  key: string | number;
}

/** Called for each object and list of a text. `open` are the values around it, outermost first. */
export interface JsonVisitor {
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

const marks = /["[\]{},:\n]/g;

class Scan {
  readonly #open: OpenValue[] = [];
  #line = 1;
  #position = 0;
  /** The last string; a property name if a colon follows. */
  #string = '';

  constructor(
    private readonly text: string,
    private readonly visitor: JsonVisitor,
  ) {}

  next(): boolean {
    marks.lastIndex = this.#position;
    const mark = marks.exec(this.text);
    if (mark === null) return false;
    this.#position = marks.lastIndex;
    this.#take(mark[0]);
    return true;
  }

  #take(mark: string): void {
    const inside = this.#open.at(-1);
    if (mark === '\n') this.#line += 1;
    else if (mark === '"') this.#passString();
    else if (mark === '{' || mark === '[') this.#enter(mark === '[');
    else if (mark === '}' || mark === ']') this.#leave();
    else if (inside !== undefined && mark === ':') inside.key = this.#string;
    else if (typeof inside?.key === 'number') inside.key += 1;
  }

  #enter(isList: boolean): void {
    this.visitor.enter(this.#open, this.#line, this.#position - 1);
    this.#open.push({ isList, key: isList ? 0 : '' });
  }

  #leave(): void {
    this.#open.pop();
    this.visitor.leave?.(this.#open, this.#position);
  }

  #passString(): void {
    const start = this.#position;
    let end = this.text.indexOf('"', start);
    while (isEscaped(this.text, end, start)) end = this.text.indexOf('"', end + 1);
    this.#string = end - start <= maximumName ? this.text.slice(start, end) : '';
    this.#position = end + 1;
  }
}

/** Longer strings are not copied, because they are not property names. */
const maximumName = 100;

function isEscaped(text: string, quote: number, start: number): boolean {
  let backslashes = 0;
  while (quote - backslashes > start && text[quote - backslashes - 1] === '\\') backslashes += 1;
  return backslashes % 2 === 1;
}
