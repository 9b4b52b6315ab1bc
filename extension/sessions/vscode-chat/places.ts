import { stringAt } from '../records/json-strings';
import type { Key } from './mutations';

/** The first line of each value in a JSON text, 1-based, by the value's name. */
export type Places = ReadonlyMap<string, number>;

export function placeName(request: number, part?: number): string {
  return part === undefined ? `${request}` : `${request}/${part}`;
}

/** The first lines of the requests of a chat and of the parts of their responses. The text must be valid JSON. */
export function placesIn(text: string): Places {
  const scan = new Scan(text);
  while (scan.next());
  return scan.places;
}

/** An object or list that is not closed yet, and the key of its present item. */
interface Open {
  readonly isList: boolean;
  key: Key;
}

const marks = /["[\]{},:\n]/g;

class Scan {
  readonly places = new Map<string, number>();
  readonly #open: Open[] = [];
  #line = 1;
  #position = 0;
  /** The last string; a property name if a colon follows. */
  #string = '';

  constructor(private readonly text: string) {}

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
    else if (mark === ':') setKey(inside, this.#string);
    else if (mark !== ',') this.#open.pop();
    else if (inside?.isList && typeof inside.key === 'number') setKey(inside, inside.key + 1);
  }

  #enter(isList: boolean): void {
    const name = nameOf(this.#open);
    if (name !== null) this.places.set(name, this.#line);
    this.#open.push({ isList, key: isList ? 0 : '' });
  }

  #passString(): void {
    const { name, next } = stringAt(this.text, this.#position);
    this.#string = name;
    this.#position = next;
  }
}

function setKey(open: Open | undefined, key: Key): void {
  if (open) open.key = key;
}

/** The name of the value that starts here, if it is a request or a part of a response. */
function nameOf(open: readonly Open[]): string | null {
  const [root, requests, request, response] = open;
  if (root?.key !== 'requests' || typeof requests?.key !== 'number') return null;
  if (open.length === 2) return placeName(requests.key);
  if (open.length !== 4 || request?.key !== 'response' || typeof response?.key !== 'number') return null;
  return placeName(requests.key, response.key);
}
