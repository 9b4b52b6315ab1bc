import type { Entry, Part } from '../../../engine/conversation/entry';
import { inputText, readableText, textOf, toolCalls } from '../../../engine/conversation/entry';

/**
 * What counts as a name here is said anew and not taken from what compacts, so that a name which that overlooks counts
 * against it: a path or a file with an extension, and a word that is built as identifiers are (camelCase, snake_case, a
 * dotted member, a call).
 */
const word = /[\p{L}\p{N}_$@~./][\p{L}\p{N}\p{M}_$@~./-]*/gu;
const shapes = [
  /^[^/]*\p{L}{2}.*\/.*\.[A-Za-z]\w{0,9}$/u,
  /^(?:~|\.{0,2})\/(?:[^/]+\/)+[^/]+$/,
  /^[\p{L}\p{N}_@~.-]*\p{L}[\p{L}\p{N}_@~.-]*\.(?:[cm]?[jt]sx?|py|go|rs|java|rb|c|h|cpp|cs|svelte|vue|html|css|jsonl?|ya?ml|toml|md|sh|sql)$/u,
  /^[\p{L}_$][\p{L}\p{N}_$]*(?:\p{Ll}\p{Lu}|\p{L}_\p{L})[\p{L}\p{N}_$]*(?:\.[\p{L}_$][\p{L}\p{N}_$]*)*$/u,
];

/** In UTF-16 units. */
const lengths = { least: 4, most: 120 };

export function namesIn(text: string): Set<string> {
  const names = new Set<string>();
  for (const [raw] of text.matchAll(word)) {
    if (raw.length > 2 * lengths.most) continue;
    const name = raw.replace(/[./-]+$/, '').replace(/^@(?=.*\/.*\.\w+$)/, '');
    if (name.length < lengths.least || name.length > lengths.most) continue;
    if (shapes.some((shape) => shape.test(name))) names.add(name);
  }
  return names;
}

/** All that these say, with line breaks in the arguments of calls and not their JSON escapes. */
export function saidBy(messages: readonly { readonly parts: readonly Part[] }[]): string {
  return messages.flatMap(({ parts }) => parts.map(textOfPart)).join('\n');
}

function textOfPart(part: Part): string {
  return part.type === 'tool_call' ? strings(part.input).join('\n') : readableText(part);
}

/** An argument longer than this is text that a tool is to write, in UTF-16 units. */
const longestSubject = 400;

/**
 * What work uses: what the agent says and passes to its tools, and what the person says; not what tools answer, which
 * names everything. `written` adds the arguments that are the contents of files.
 */
export function usedBy(entries: readonly Entry[], { written }: { readonly written: boolean }): string {
  const used = (text: string) => written || text.length <= longestSubject;
  return entries
    .filter((entry) => entry.role !== 'tool' && entry.role !== 'system' && !entry.summary && !entry.injected)
    .flatMap(({ parts }) => [
      textOf(parts),
      ...toolCalls(parts)
        .flatMap(({ input }) => strings(input))
        .filter(used),
    ])
    .join('\n');
}

/** All strings of an argument in their order, however deep. */
function strings(input: unknown): string[] {
  const found: string[] = [];
  const left = [input];
  while (left.length > 0) {
    const value = left.pop();
    if (typeof value !== 'object' || value === null) found.push(inputText(value));
    else left.push(...Object.values(value).reverse());
  }
  return found;
}

const partOfName = /[\p{L}\p{N}_$-]/u;
const runs = /[\p{L}\p{N}_$-]+/gu;

/** A text that is asked which names stand in it. Built in time linear in the text. */
export class NameIndex {
  readonly #text: string;
  readonly #runs: ReadonlySet<string>;

  constructor(text: string) {
    this.#text = `${text} ${spelledOut(text)}`;
    this.#runs = new Set(this.#text.match(runs));
  }

  /** Whether the name stands here as a whole. Folders may stand before it. Looked for only where all its parts are. */
  holds(name: string): boolean {
    if (!(name.match(runs) ?? []).every((run) => this.#runs.has(run))) return false;
    const text = this.#text;
    for (let at = text.indexOf(name); at !== -1; at = text.indexOf(name, at + 1)) {
      if (!partOfName.test(text[at - 1] ?? ' ') && !partOfName.test(text[at + name.length] ?? ' ')) return true;
    }
    return false;
  }
}

const longestFolder = 200;

/** A path that is written as a folder and a list, as in a shell, says each of its files. */
function spelledOut(text: string): string {
  const lists = [...text.matchAll(/\/\{([^\s{}]{1,4000})\}/g)];
  return lists
    .flatMap(({ index, 1: files = '' }) => {
      const [folder = ''] = /[^\s{},]*$/.exec(text.slice(Math.max(0, index - longestFolder), index)) ?? [];
      return files.split(',').map((file) => `${folder}/${file}`);
    })
    .join(' ');
}
