import { oncePerText } from '../conversation/once-per';

interface ScriptCall {
  readonly name: string;
  /** Null if the script computes it. */
  readonly input: unknown;
}

/**
 * The tools that a script in JavaScript calls, in order: newer versions of Codex have one tool that runs such scripts.
 * Literals and constants are read; nothing is run. For a call in a block that may not run, or may run more than once,
 * only the name is returned.
 */
export const callsInScript = oncePerText((script: string): readonly ScriptCall[] => new ScriptReader(script).read());

/** Stands for a value that the script computes. */
const computed = Symbol('computed');

const blank = /(?:\s|\/\/[^\n]*|\/\*[\s\S]*?\*\/)+/y;
const word = /[\p{L}_$][\p{L}\p{N}_$]*/uy;
const number = /-?(?:0x[\da-f]+|\d[\d_]*(?:\.\d+)?(?:e[+-]?\d+)?)/iy;
const binding = /\s+([\p{L}_$][\p{L}\p{N}_$]*)\s*=(?![=>])/uy;
const toolCall = /\s*\.\s*(\w+)\s*\(/y;
const joining = /\s*\.\s*join\s*\(/y;
const rawTemplate = /String\s*\.\s*raw(?=`)/y;
const regularExpression = /\/(?![/*])(?:[^\\/\n[]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/\w*/y;

class ScriptReader {
  #at = 0;
  readonly #known = new Map<string, unknown>();
  readonly #calls: ScriptCall[] = [];
  /** For each open brace, whether its content runs exactly once. */
  readonly #blocks: boolean[] = [];
  #depth = 0;
  /** The last character and word of code, by which a slash and a brace are understood. */
  #last = '';

  constructor(readonly script: string) {}

  read(): readonly ScriptCall[] {
    while (this.#at < this.script.length) this.#step();
    return this.#calls;
  }

  #step(): void {
    if (this.#match(blank)) return;
    const name = this.#match(word)?.[0];
    if (name === undefined) this.#readMark(this.script[this.#at] ?? '');
    else this.#readWord(name);
  }

  #readMark(character: string): void {
    if (/["'`]/.test(character)) this.#string();
    else if (character !== '/' || /[\w)\]}"]$/.test(this.#last) || !this.#match(regularExpression)) {
      if (character === '{') this.#blocks.push(/^(?:try|;|)$/.test(this.#last));
      if (character === '}') this.#blocks.pop();
      this.#last = character;
      this.#at += 1;
      return;
    }
    this.#last = '"';
  }

  #readWord(name: string): void {
    const declared = /^(?:const|let|var)$/.test(name) ? this.#match(binding) : null;
    const called = name === 'tools' ? this.#match(toolCall) : null;
    this.#last = declared ? '=' : called ? '(' : name;
    if (declared) this.#bind(declared[1] ?? '');
    else if (called) this.#call(called[1] ?? '');
  }

  #bind(name: string): void {
    const start = this.#at;
    const value = this.#value();
    if (value === computed) this.#at = start;
    else this.#known.set(name, value);
  }

  #call(name: string): void {
    const start = this.#at;
    const value = this.#blocks.every(Boolean) ? this.#value() : computed;
    if (value === computed) this.#at = start;
    this.#calls.push({ name, input: value === computed ? null : value });
  }

  #match(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.script);
    if (found !== null) this.#at += found[0].length;
    return found;
  }

  #skipBlank(): string {
    this.#match(blank);
    return this.script[this.#at] ?? '';
  }

  /** Texts that are joined with `+` are one. Ends before a comma or a closing bracket, else the script computes it. */
  #value(): unknown {
    let value = this.#single();
    for (let next = this.#skipBlank(); value !== computed && next === '+'; next = this.#skipBlank()) {
      this.#at += 1;
      const more = this.#single();
      value = typeof value === 'string' && typeof more === 'string' ? value + more : computed;
    }
    const next = this.script[this.#at] ?? '';
    return /^[,)\]};]?$/.test(next) || /^[a-z]/.test(next) ? value : computed;
  }

  #single(): unknown {
    return this.#nested(() => this.#readSingle());
  }

  /** Skips the rest of the script if values are nested too deeply. */
  #nested(read: () => unknown): unknown {
    if (this.#depth >= mostDepth) {
      this.#at = this.script.length;
      return computed;
    }
    this.#depth += 1;
    const value = read();
    this.#depth -= 1;
    return value;
  }

  #readSingle(): unknown {
    const character = this.#skipBlank();
    if (/["'`]/.test(character)) return this.#string();
    if (character === '{') return this.#object();
    if (character === '[') return this.#array();
    const digits = this.#match(number)?.[0];
    if (digits !== undefined) return Number(digits.replaceAll('_', ''));
    if (this.#match(rawTemplate)) return this.#string(true);
    const name = this.#match(word)?.[0];
    if (name === undefined || /^[.([]/.test(this.script[this.#at] ?? '')) return computed;
    return literals.has(name) ? literals.get(name) : this.#known.has(name) ? this.#known.get(name) : computed;
  }

  /** Texts between quotation marks, and templates whose values are known. */
  #string(isRaw = false): unknown {
    const mark = this.script[this.#at];
    let text = '';
    let isKnown = true;
    for (this.#at += 1; this.#at < this.script.length && this.script[this.#at] !== mark; ) {
      const character = this.script[this.#at] ?? '';
      if (character === '\\' && !isRaw) text += this.#escaped();
      else if (mark === '`' && character === '$' && this.script[this.#at + 1] === '{') {
        const value = this.#nested(() => this.#placeholder());
        isKnown &&= value !== computed;
        text += typeof value === 'string' || typeof value === 'number' ? `${value}` : '';
      } else {
        text += character;
        this.#at += 1;
      }
    }
    this.#at += 1;
    return isKnown ? text : computed;
  }

  #placeholder(): unknown {
    this.#at += 2;
    const value = this.#single();
    const isAll = this.#skipBlank() === '}';
    this.#skipTo(/[}]/);
    this.#at += 1;
    return isAll ? value : computed;
  }

  #escaped(): string {
    const [whole = '\\', code] = this.#match(escapeSequence) ?? [];
    if (code === undefined) {
      this.#at += 1;
      return '';
    }
    if (/^[xu]./.test(code)) return characterOf(Number.parseInt(code.replace(/[xu{}]/g, ''), 16));
    return letters.get(code) ?? (whole === '\\\n' ? '' : code);
  }

  #array(): unknown {
    const values: unknown[] = [];
    this.#at += 1;
    for (let next = this.#skipBlank(); next !== ']'; next = this.#skipBlank()) {
      if (next === '') return computed;
      values.push(this.#value());
      this.#skipTo(/[,\]]/);
      if (this.script[this.#at] === ',') this.#at += 1;
    }
    this.#at += 1;
    if (values.includes(computed)) return computed;
    if (!this.#match(joining)) return values;
    const between = this.#skipBlank() === ')' ? ',' : this.#single();
    this.#skipTo(/[)]/);
    this.#at += 1;
    return typeof between === 'string' ? values.join(between) : computed;
  }

  /** Members that the script computes are omitted. */
  #object(): unknown {
    const members: Record<string, unknown> = {};
    this.#at += 1;
    for (let next = this.#skipBlank(); next !== '}'; next = this.#skipBlank()) {
      if (next === '') return computed;
      const key = /["']/.test(next) ? this.#string() : this.#match(word)?.[0];
      const after = this.#skipBlank();
      if (after === ':') this.#at += 1;
      const value = after === ':' ? this.#value() : typeof key === 'string' ? this.#known.get(key) : computed;
      if (typeof key === 'string' && value !== computed && value !== undefined) members[key] = value;
      this.#skipTo(/[,}]/);
      if (this.script[this.#at] === ',') this.#at += 1;
    }
    this.#at += 1;
    return members;
  }

  /** Advances to the next of these characters outside of brackets and texts. */
  #skipTo(end: RegExp): void {
    let open = 0;
    while (this.#at < this.script.length) {
      if (this.#match(blank)) continue;
      const character = this.script[this.#at] ?? '';
      if (open === 0 && end.test(character)) return;
      if (/["'`]/.test(character)) {
        this.#string();
        continue;
      }
      if (/[([{]/.test(character)) open += 1;
      if (/[)\]}]/.test(character)) open -= 1;
      this.#at += 1;
    }
  }
}

/** Maximum nesting depth of values. */
const mostDepth = 200;

function characterOf(codePoint: number): string {
  return codePoint > 0x10ffff ? '\ufffd' : String.fromCodePoint(codePoint);
}

const literals: ReadonlyMap<string, unknown> = new Map<string, unknown>([
  ['true', true],
  ['false', false],
  ['null', null],
  ['undefined', undefined],
]);

const escapeSequence = /\\(x[\da-f]{2}|u[\da-f]{4}|u\{[\da-f]+\}|[\s\S])/iy;

const letters: ReadonlyMap<string, string> = new Map([
  ['n', '\n'],
  ['t', '\t'],
  ['r', '\r'],
  ['b', '\b'],
  ['f', '\f'],
  ['v', '\v'],
  ['0', '\0'],
]);
