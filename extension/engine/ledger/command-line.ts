/** A word of a command line without its quotes. */
export interface ShellWord {
  readonly text: string;
  /** The shell takes it literally: it contains no variable, pattern or command substitution. */
  readonly isPlain: boolean;
}

/** One program of a command line. */
interface ShellCommand {
  readonly words: readonly ShellWord[];
  /** Files to which its standard output is written. */
  readonly outputs: readonly ShellWord[];
  /** The file that it reads as input; null if the line names none. */
  readonly input: ShellWord | null;
  /** The text of its here-document; null if it has none. */
  readonly hereDocument: string | null;
  /** The operator before it; empty for the first. */
  readonly joinedBy: Joint;
  /** It names a function whose body follows. */
  readonly isDefinition: boolean;
  /** How many subshells it is in. */
  readonly depth: number;
}

export type Joint = '' | ';' | '&&' | '||' | '|';

interface Draft {
  words: ShellWord[];
  outputs: ShellWord[];
  input: ShellWord | null;
  hereDocument: string | null;
  joinedBy: Joint;
  isDefinition: boolean;
  depth: number;
}

/** The programs that a command line runs, in order. Nothing is expanded. */
export function shellCommandsIn(line: string): readonly ShellCommand[] {
  return new CommandLineReader(line).read();
}

const blank = /[ \t\r]+|\\\n/y;
const joint = /&&|\|\||\|&?|;;?|&(?!>)|\n/y;
const redirection = /(\d*|&)(<<<|<<-?|<>?|>>|>\||>)(&[\d-]+)?/y;
const noArguments = /\(\s*\)/y;
const comment = /#[^\n]*/y;

const joints: ReadonlyMap<string, Joint> = new Map([
  ['&&', '&&'],
  ['||', '||'],
  ['|', '|'],
  ['|&', '|'],
]);

/** Characters that end an unquoted word. */
const endOfWord = /[ \t\r\n;&|<>()]/;

class CommandLineReader {
  #at = 0;
  #depth = 0;
  #current: Draft = this.#draft('');
  readonly #commands: Draft[] = [];
  /** Here-documents whose text follows the line. */
  #awaited: { readonly command: Draft; readonly end: string }[] = [];

  constructor(readonly line: string) {}

  read(): readonly ShellCommand[] {
    while (this.#at < this.line.length) this.#step();
    this.#end('');
    return this.#commands;
  }

  #draft(joinedBy: Joint): Draft {
    return {
      words: [],
      outputs: [],
      input: null,
      hereDocument: null,
      joinedBy,
      isDefinition: false,
      depth: this.#depth,
    };
  }

  #step(): void {
    if (this.#match(blank) || this.#match(comment)) return;
    const redirected = this.#match(redirection);
    const joined = redirected ? undefined : this.#match(joint)?.[0];
    const character = this.line[this.#at];
    if (redirected) this.#redirect(redirected);
    else if (joined !== undefined) this.#join(joined);
    else if (this.#match(noArguments)) this.#define();
    else if (character === '(' || character === ')') this.#nest(character === '(' ? 1 : -1);
    else this.#current.words.push(this.#word());
  }

  #join(joined: string): void {
    this.#end(joints.get(joined) ?? ';');
    if (joined === '\n') this.#readHereDocuments();
  }

  #define(): void {
    this.#current.isDefinition = true;
    this.#end(';');
  }

  #nest(by: number): void {
    this.#at += 1;
    this.#end(';');
    this.#depth = Math.max(0, this.#depth + by);
    this.#current.depth = this.#depth;
  }

  #match(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.line);
    if (found !== null) this.#at += found[0].length;
    return found;
  }

  #end(next: Joint): void {
    const { words, outputs, joinedBy } = this.#current;
    const isEmpty = words.length === 0 && outputs.length === 0;
    if (!isEmpty) this.#commands.push(this.#current);
    this.#current = this.#draft(isEmpty && joinedBy !== '' ? joinedBy : next);
  }

  #redirect([, from = '', operator = '', descriptor]: RegExpExecArray): void {
    if (descriptor !== undefined) return;
    this.#match(blank);
    const target = this.#word();
    if (operator === '<<' || operator === '<<-') this.#awaited.push({ command: this.#current, end: target.text });
    else if (operator === '<') this.#current.input = target;
    else if (operator.startsWith('>') && (from === '' || from === '1' || from === '&'))
      this.#current.outputs.push(target);
  }

  #readHereDocuments(): void {
    for (const { command, end } of this.#awaited) {
      const lines: string[] = [];
      while (this.#at < this.line.length) {
        const from = this.#at;
        const to = this.line.indexOf('\n', from);
        this.#at = to < 0 ? this.line.length : to + 1;
        const text = this.line.slice(from, to < 0 ? undefined : to);
        if (text.trim() === end) break;
        lines.push(text);
      }
      command.hereDocument = lines.join('\n');
    }
    this.#awaited = [];
  }

  #word(): ShellWord {
    let text = '';
    let isPlain = true;
    while (this.#at < this.line.length) {
      const character = this.line[this.#at] ?? '';
      if (endOfWord.test(character)) break;
      if (character === "'") text += this.#until("'");
      else if (character === '"') {
        const quoted = this.#doubleQuoted();
        text += quoted.text;
        isPlain &&= quoted.isPlain;
      } else if (character === '\\') {
        text += this.line[this.#at + 1] ?? '';
        this.#at += 2;
      } else if (character === '$' || character === '`') {
        text += this.#substitution();
        isPlain = false;
      } else {
        isPlain &&= !/[*?[\]{}~]/.test(character) || (character === '~' && text === '');
        text += character;
        this.#at += 1;
      }
    }
    return { text, isPlain };
  }

  /** The text up to the next quotation mark of the same kind. */
  #until(mark: string): string {
    const end = this.line.indexOf(mark, this.#at + 1);
    const text = this.line.slice(this.#at + 1, end < 0 ? undefined : end);
    this.#at = end < 0 ? this.line.length : end + 1;
    return text;
  }

  #doubleQuoted(): ShellWord {
    let text = '';
    let isPlain = true;
    this.#at += 1;
    while (this.#at < this.line.length) {
      const character = this.line[this.#at] ?? '';
      if (character === '"') break;
      if (character === '\\') {
        const next = this.line[this.#at + 1] ?? '';
        text += next === '\n' ? '' : /["$`\\]/.test(next) ? next : `\\${next}`;
        this.#at += 2;
      } else if (character === '`' || (character === '$' && /[\w({!@*#?$]/.test(this.line[this.#at + 1] ?? ''))) {
        text += this.#substitution();
        isPlain = false;
      } else {
        text += character;
        this.#at += 1;
      }
    }
    this.#at += 1;
    return { text, isPlain };
  }

  /** A variable or the output of a command, as it is written. */
  #substitution(): string {
    const from = this.#at;
    if (this.line[from] === '`') {
      this.#until('`');
      return this.line.slice(from, this.#at);
    }
    this.#at += 1;
    if (this.line[this.#at] === '(') this.#skipParentheses();
    else if (this.line[this.#at] === '{') this.#until('}');
    else if (this.line[this.#at] === "'") this.#until("'");
    return this.line.slice(from, this.#at);
  }

  #skipParentheses(): void {
    let open = 0;
    for (; this.#at < this.line.length; this.#at += 1) {
      const character = this.line[this.#at];
      if (character === "'") {
        this.#until("'");
        this.#at -= 1;
      } else if (character === '\\') this.#at += 1;
      else if (character === '(') open += 1;
      else if (character === ')') open -= 1;
      if (open === 0) break;
    }
    this.#at += 1;
  }
}
