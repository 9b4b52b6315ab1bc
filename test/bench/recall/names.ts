import { type Entry, inputText, readableText, textOf, toolCalls } from '../../../extension/engine/conversation/entry';

/**
 * What counts as a name here is said anew and not taken from the engine, so that a name which the engine overlooks
 * counts against it: a path or a file with an extension, and a word that is built as identifiers are (camelCase,
 * snake_case, a dotted member, a call).
 */
const word = /[\p{L}\p{N}_$@~./][\p{L}\p{N}\p{M}_$@~./-]*/gu;
const shapes = [
  /^[^/]*\p{L}{2}.*\/.*\.[A-Za-z]\w{0,9}$/u,
  /^(?:~|\.{0,2})\/(?:[^/]+\/)+[^/]+$/,
  /^[\p{L}\p{N}_@~.-]*\p{L}[\p{L}\p{N}_@~.-]*\.(?:[cm]?[jt]sx?|py|go|rs|java|rb|c|h|cpp|cs|svelte|vue|html|css|jsonl?|ya?ml|toml|md|sh|sql)$/u,
  /^[\p{L}_$][\p{L}\p{N}_$]*(?:\p{Ll}\p{Lu}|\p{L}_\p{L})[\p{L}\p{N}_$]*(?:\.[\p{L}_$][\p{L}\p{N}_$]*)*$/u,
];
const lengths = { least: 4, most: 120 };

export function namesIn(text: string): Set<string> {
  const names = new Set<string>();
  for (const [raw] of text.matchAll(word)) {
    const name = raw.replace(/[./-]+$/, '').replace(/^@(?=.*\/.*\.\w+$)/, '');
    if (name.length < lengths.least || name.length > lengths.most) continue;
    if (shapes.some((shape) => shape.test(name))) names.add(name);
  }
  return names;
}

/** All that an entry says, with line breaks in the arguments of its calls and not their JSON escapes. */
export function saidBy(entries: readonly Entry[]): string {
  return entries
    .flatMap((entry) =>
      entry.parts.map((part) => (part.type === 'tool_call' ? callText(part.input) : readableText(part))),
    )
    .join('\n');
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

function callText(input: unknown): string {
  return strings(input).join('\n');
}

function strings(input: unknown): string[] {
  if (typeof input !== 'object' || input === null) return [inputText(input)];
  return Object.values(input).flatMap(strings);
}

const partOfName = /[\p{L}\p{N}_$-]/u;

/** Whether the name stands in the text as a whole. Folders may stand before it. */
export function holds(text: string, name: string): boolean {
  for (let at = text.indexOf(name); at !== -1; at = text.indexOf(name, at + 1)) {
    if (!partOfName.test(text[at - 1] ?? ' ') && !partOfName.test(text[at + name.length] ?? ' ')) return true;
  }
  return false;
}

/** The share of the names that the text holds; null where there are too few to say. */
export function recallOf(needed: readonly string[], text: string): number | null {
  if (needed.length < fewest) return null;
  const whole = `${text} ${spelledOut(text)}`;
  return needed.filter((name) => holds(whole, name)).length / needed.length;
}

/** A path that is written as a folder and a list, as in a shell, says each of its files. */
function spelledOut(text: string): string {
  const lists = [...text.matchAll(/([^\s{},]{1,200}\/)\{([^\s{}]+)\}/g)];
  return lists.flatMap(([, folder, files]) => (files ?? '').split(',').map((file) => `${folder}${file}`)).join(' ');
}

const fewest = 5;
