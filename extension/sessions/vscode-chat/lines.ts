import type { Key, Mutation } from './mutations';

/** On which lines of the file a request was last changed, field by field and part by part of its response. */
export class RequestLines {
  readonly #fields = new Map<Key, number>();
  #parts: number[] = [];
  #wholeParts: number;
  /** Grows with every change. */
  version = 0;
  /** Grows with every change outside the response. */
  fieldsVersion = 0;

  constructor(private readonly line: number) {
    this.#wholeParts = line;
  }

  /** Each line is one change, so a field that changed stands on another line than before. */
  ofField(name: string): number {
    return this.#fields.get(name) ?? this.line;
  }

  /** As with fields: a part whose line is the same is the part that it was. */
  ofPart(index: number): number {
    return this.#parts[index] ?? this.#wholeParts;
  }

  /** `path` begins within the request. */
  note(path: readonly Key[], mutation: Extract<Mutation, { kind: 'set' | 'pushed' }>, line: number): void {
    this.version += 1;
    const [field, part] = path;
    if (field !== 'response') this.#noteField(field ?? '', line);
    else if (typeof part === 'number') this.notePart(part, line);
    else if (mutation.kind === 'set') this.#setParts(line);
    else this.#pushParts(mutation.kept, mutation.added, line);
  }

  #noteField(field: Key, line: number): void {
    this.fieldsVersion += 1;
    this.#fields.set(field, line);
  }

  notePart(index: number, line: number): void {
    while (this.#parts.length < index) this.#parts.push(this.#wholeParts);
    this.#parts[index] = line;
  }

  #setParts(line: number): void {
    this.#parts = [];
    this.#wholeParts = line;
  }

  #pushParts(kept: number, added: number, line: number): void {
    while (this.#parts.length < kept) this.#parts.push(this.#wholeParts);
    this.#parts.length = kept;
    for (let index = kept; index < kept + added; index += 1) this.#parts.push(line);
  }
}

/** The same for all requests of a chat. */
export class ChatLines {
  #requests: RequestLines[] = [];

  ofRequest(index: number): RequestLines | undefined {
    return this.#requests[index];
  }

  /** All requests anew; `lineOf` says where each of them stands. */
  begin(count: number, lineOf: (index: number) => number): void {
    this.#requests = Array.from({ length: count }, (_, index) => new RequestLines(lineOf(index)));
  }

  /** `count`: how many requests there are after the mutation. */
  note(mutation: Extract<Mutation, { kind: 'set' | 'pushed' }>, count: number, line: number): void {
    const [root, index, ...rest] = mutation.path;
    if (root !== 'requests') return;
    if (typeof index !== 'number') {
      this.#requests.length = mutation.kind === 'pushed' ? Math.min(mutation.kept, this.#requests.length) : 0;
    } else if (rest.length === 0) this.#requests[index] = new RequestLines(line);
    else this.#requests[index]?.note(rest, mutation, line);
    while (this.#requests.length < count) this.#requests.push(new RequestLines(line));
  }
}
