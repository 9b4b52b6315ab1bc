/** Where the words of a line begin, after indentation and list markers. Unambiguous, so it takes linear time. */
const opening = /^ *(?:(?:[-*+]|\d{1,9}[.)]) +)*/;
/** Words after a fence of backticks have no backtick: a line such as "```a```" is code in a sentence. */
const fence = /^(?:(`{3,})[^`]*|(~{3,}).*)$/;
/** Columns by which a fence may be indented in its list item, or in the text. */
const mostIndent = 3;

interface OpenFence {
  /** The characters that opened it. */
  readonly mark: string;
  /** The column at which its list item's words begin; 0 outside lists. */
  readonly column: number;
}

/** Follows the fenced code of a text line by line, as CommonMark opens and closes it. */
export class CodeFences {
  #open: OpenFence | null = null;
  /** The column at which the words of the innermost list item begin; 0 outside lists. */
  #column = 0;

  /** Takes the next line. True if it belongs to a code block that an earlier line opened. */
  isCode(line: string): boolean {
    const flat = line.replaceAll('\t', '    ').trimEnd();
    const indent = flat.search(/\S/);
    if (indent === -1) return this.#open !== null;
    if (this.#open && indent >= this.#open.column) {
      if (closes(flat, indent, this.#open)) this.#open = null;
      return true;
    }
    this.#open = this.#opened(flat, indent);
    return false;
  }

  #opened(flat: string, indent: number): OpenFence | null {
    this.#column = Math.min(this.#column, indent);
    const begin = opening.exec(flat)?.[0].length ?? 0;
    if (begin > indent) this.#column = begin;
    const [, ticks, tildes] = fence.exec(flat.slice(begin)) ?? [];
    const mark = ticks ?? tildes;
    return mark !== undefined && begin - this.#column <= mostIndent ? { mark, column: this.#column } : null;
  }
}

/** A closing fence has the same character, is at least as long, and is alone on its line. */
function closes(flat: string, indent: number, { mark, column }: OpenFence): boolean {
  const words = flat.slice(indent);
  const isSame = words.length >= mark.length && words === mark.charAt(0).repeat(words.length);
  return isSame && indent - column <= mostIndent;
}
