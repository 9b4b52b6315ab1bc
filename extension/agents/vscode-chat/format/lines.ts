import type { Key, Mutation } from './mutations';

/** The lines of the file that last changed a request, for each field and each part of its response. */
export class RequestLines {
  readonly #fields = new Map<Key, number>();
  #parts: number[] = [];
  #wholeParts: number;
  /** Incremented with every change. */
  version = 0;
  /** Incremented with every change outside the response. */
  fieldsVersion = 0;

  constructor(private readonly line: number) {
    this.#wholeParts = line;
  }

  /** Each line is one change, so an unchanged line means an unchanged field. */
  ofField(name: string): number {
    return this.#fields.get(name) ?? this.line;
  }

  /** As with fields, an unchanged line means an unchanged part. */
  ofPart(index: number): number {
    return this.#parts[index] ?? this.#wholeParts;
  }

  /** `path` is relative to the request. */
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

export class ChatLines {
  #requests: RequestLines[] = [];

  ofRequest(index: number): RequestLines | undefined {
    return this.#requests[index];
  }

  /** Replaces all requests. */
  begin(count: number, lineOf: (index: number) => number): void {
    this.#requests = Array.from({ length: count }, (_, index) => new RequestLines(lineOf(index)));
  }

  /** `count`: the number of requests after the mutation. */
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
