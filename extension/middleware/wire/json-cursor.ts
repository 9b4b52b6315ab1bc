/** A range of characters; `end` is exclusive. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** Reads a JSON text from value to value. Does not look into values, so their depth does not matter, and long strings are fast. */
export class JsonCursor {
  #at = 0;

  constructor(private readonly text: string) {}

  /** Of the next token. */
  get start(): number {
    while (isSpace(this.text.charCodeAt(this.#at))) this.#at += 1;
    return this.#at;
  }

  /** Of the token or value that was read last. */
  get end(): number {
    return this.#at;
  }

  get isAtEnd(): boolean {
    return this.start === this.text.length;
  }

  /** Moves behind this character if it comes next. */
  takes(character: string): boolean {
    if (this.text.charAt(this.start) !== character) return false;
    this.#at += 1;
    return true;
  }

  /** Moves behind the value that comes next. Its span is empty if there is none. */
  value(): Span {
    const { start } = this;
    this.#at = endOfValue(this.text, start);
    return { start, end: this.#at };
  }
}

function isSpace(code: number): boolean {
  return code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09;
}

function endOfValue(text: string, start: number): number {
  switch (text.charAt(start)) {
    case '"':
      return endOfString(text, start);
    case '{':
    case '[':
      return endOfContainer(text, start);
    default:
      return endOfLiteral(text, start);
  }
}

/** The end of the text if there is no closing quote; so for containers. */
function endOfString(text: string, start: number): number {
  for (let quote = text.indexOf('"', start + 1); quote !== -1; quote = text.indexOf('"', quote + 1)) {
    if (!isEscaped(text, quote)) return quote + 1;
  }
  return text.length;
}

function isEscaped(text: string, quote: number): boolean {
  let first = quote;
  while (text.charCodeAt(first - 1) === backslash) first -= 1;
  return (quote - first) % 2 === 1;
}

const backslash = 0x5c;

function endOfContainer(text: string, start: number): number {
  let depth = 0;
  for (let at = start; at < text.length; ) {
    const character = text.charAt(at);
    at = character === '"' ? endOfString(text, at) : at + 1;
    if (character === '{' || character === '[') depth += 1;
    else if (character === '}' || character === ']') depth -= 1;
    if (depth === 0) return at;
  }
  return text.length;
}

/** A number, `true`, `false` or `null`. */
function endOfLiteral(text: string, start: number): number {
  const literal = /[^ \t\n\r,\]}]*/y;
  literal.lastIndex = start;
  return start + (literal.exec(text)?.[0].length ?? 0);
}
