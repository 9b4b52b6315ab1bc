import { stringAt } from '../records/json-strings';

/** Where a message of a whole-file session stands in the file's text. */
export interface JsonItem {
  /** 1-based. */
  readonly line: number;
  /** Its JSON, as it stands there. */
  readonly text: string;
}

const marks = /["[\]{},:\n]/g;

/**
 * The items of the list that a JSON text is, or of the list of this name in the object that it is; in one pass. The text
 * has been parsed before, so it is valid JSON.
 */
export function jsonItems(text: string, name: string): JsonItem[] {
  const scan = new Scan(text, name);
  while (scan.next());
  return scan.items;
}

class Scan {
  readonly items: JsonItem[] = [];
  /** Of each object and list that is open: whether it is a list. */
  readonly #open: boolean[] = [];
  #line = 1;
  #position = 0;
  #string = '';
  /** The name of the root object's present value. */
  #key = '';
  #item: { line: number; start: number } | null = null;

  constructor(
    private readonly text: string,
    private readonly name: string,
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
    if (mark === '\n') this.#line += 1;
    else if (mark === '"') this.#passString();
    else if (mark === '{' || mark === '[') this.#enter(mark === '[');
    else if (mark === '}' || mark === ']') this.#leave();
    else if (mark === ':' && this.#open.length === 1) this.#key = this.#string;
  }

  #enter(isList: boolean): void {
    if (this.#isInList()) this.#item = { line: this.#line, start: this.#position - 1 };
    this.#open.push(isList);
  }

  #leave(): void {
    this.#open.pop();
    const item = this.#item;
    if (item === null || !this.#isInList()) return;
    this.items.push({ line: item.line, text: this.text.slice(item.start, this.#position) });
    this.#item = null;
  }

  #isInList(): boolean {
    const [root, list] = this.#open;
    if (root === true) return this.#open.length === 1;
    return list === true && this.#open.length === 2 && this.#key === this.name;
  }

  #passString(): void {
    const { name, next } = stringAt(this.text, this.#position);
    this.#string = name;
    this.#position = next;
  }
}
