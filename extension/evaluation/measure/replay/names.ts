import type { Entry, Part } from '../../../engine/conversation/entry';
import { inputText, readableText, textOf, toolCalls } from '../../../engine/conversation/entry';

/**
 * Defines a name independently of the engine, so that a name which the engine overlooks counts against it: a path, a
 * file with an extension, or a word in the form of an identifier (camelCase, snake_case, a dotted member, a call).
 */
const word = /[\p{L}\p{N}_$@~./][\p{L}\p{N}\p{M}_$@~./-]*/gu;
const shapes = [
  /^[^/]*\p{L}{2}.*\/.*\.[A-Za-z]\w{0,9}$/u,
  /^(?:~|\.{0,2})\/(?:[^/]+\/)+[^/]+$/,
  /^[\p{L}\p{N}_@~.-]*\p{L}[\p{L}\p{N}_@~.-]*\.(?:[cm]?[jt]sx?|py|go|rs|java|rb|c|h|cpp|cs|svelte|vue|html|css|jsonl?|ya?ml|toml|md|sh|sql)$/u,
  /^[\p{L}_$][\p{L}\p{N}_$]*(?:\p{Ll}\p{Lu}|\p{L}_\p{L})[\p{L}\p{N}_$]*(?:\.[\p{L}_$][\p{L}\p{N}_$]*)*$/u,
];

/** In UTF-16 units. */
const nameLength = { min: 4, max: 120 };

export function namesIn(text: string): Set<string> {
  const names = new Set<string>();
  for (const [raw] of text.matchAll(word)) {
    if (raw.length > 2 * nameLength.max) continue;
    const name = raw.replace(/[./-]+$/, '').replace(/^@(?=.*\/.*\.\w+$)/, '');
    if (name.length < nameLength.min || name.length > nameLength.max) continue;
    if (shapes.some((shape) => shape.test(name))) names.add(name);
  }
  return names;
}

/** The text of messages. Arguments of calls appear with real line breaks instead of JSON escapes. */
export function textOfMessages(messages: readonly { readonly parts: readonly Part[] }[]): string {
  return messages.flatMap(({ parts }) => parts.map(textOfPart)).join('\n');
}

function textOfPart(part: Part): string {
  return part.type === 'tool_call' ? strings(part.input).join('\n') : readableText(part);
}

/** In UTF-16 units. A longer argument is content for a tool to write. */
const maxSubjectLength = 400;

/**
 * The text that work uses: what the agent and the person say, and the arguments of tool calls. Without tool results,
 * which name everything. `written` includes arguments with file contents.
 */
export function usedBy(entries: readonly Entry[], { written }: { readonly written: boolean }): string {
  const used = (text: string) => written || text.length <= maxSubjectLength;
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

/** All strings of an argument at any depth, in order. */
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

/** An index of the names in a text. Built in time linear in the text. */
export class NameIndex {
  readonly #text: string;
  readonly #runs: ReadonlySet<string>;
  /** Folders that paths of the text are relative to, as it says. */
  readonly #roots: readonly string[];

  constructor(text: string) {
    this.#roots = statedRoots(text);
    this.#text = `${text} ${expandedLists(text)}`;
    this.#runs = new Set(this.#text.match(runs));
  }

  /** Whether the whole name occurs, possibly after a folder, or relative to a folder that the text names. */
  holds(name: string): boolean {
    if (this.#contains(name)) return true;
    return this.#roots.some((root) => name.startsWith(root) && this.#contains(name.slice(root.length)));
  }

  /** Searches only if all parts of the name occur. */
  #contains(name: string): boolean {
    if (!(name.match(runs) ?? []).every((run) => this.#runs.has(run))) return false;
    const text = this.#text;
    for (let at = text.indexOf(name); at !== -1; at = text.indexOf(name, at + 1)) {
      if (!partOfName.test(text[at - 1] ?? ' ') && !partOfName.test(text[at + name.length] ?? ' ')) return true;
    }
    return false;
  }
}

/** The folder that a list of files is relative to, as its heading says. */
function statedRoots(text: string): string[] {
  return [...text.matchAll(/^## Files, newest first, in (\S+)$/gm)].map(([, root = '']) => root);
}

const maxFolderLength = 200;

/** Expands shell lists: `folder/{a,b}` names both files. */
function expandedLists(text: string): string {
  const lists = [...text.matchAll(/\/\{([^\s{}]{1,4000})\}/g)];
  return lists
    .flatMap(({ index, 1: files = '' }) => {
      const [folder = ''] = /[^\s{},]*$/.exec(text.slice(Math.max(0, index - maxFolderLength), index)) ?? [];
      return files.split(',').map((file) => `${folder}/${file}`);
    })
    .join(' ');
}
