import type { ToolCallPart } from '../conversation/entry';
import { oneLine } from '../conversation/text';
import { argumentText, subjectOf } from '../conversation/tool-subject';
import { filesOf, firstString, type ToolStep } from './steps';

/** Lines of a file, 1-based and inclusive. */
export interface LineRange {
  readonly from: number;
  readonly to: number;
}

/** A file, or a part of it, that a call read. */
export interface Reading {
  readonly path: string;
  /** Null: the whole file, or a part that the call does not name by its lines. */
  readonly lines: LineRange | null;
}

const searching = /grep|search|glob|find|list|^ls$|tree|directory/i;
const running = /bash|shell|exec|command|run|terminal/i;

/**
 * The files that a step read: by a tool for that, or by a command line of `cat`, `sed -n`, `head`, `tail` and `nl`, also
 * several in one. Searches and lists read no file.
 */
export function readingsOf({ kind, call, problem }: Pick<ToolStep, 'kind' | 'call' | 'problem'>): readonly Reading[] {
  if (kind === 'change' || problem !== null) return [];
  if (running.test(call.name)) return readingsInShell(call);
  if (kind === 'run' || searching.test(call.name)) return [];
  const files = filesOf(call);
  return files.length === 1 ? files.map((path) => ({ path: within('', path), lines: linesOf(call.input) })) : [];
}

/** Some agents pass the words of the command, with the shell in front. */
function commandLine(call: ToolCallPart): string {
  const { command } = (call.input ?? {}) as { readonly command?: unknown };
  const last: unknown = Array.isArray(command) ? command.at(-1) : undefined;
  return typeof last === 'string' ? oneLine(last) : subjectOf(call);
}

/** A path below the folder that a command runs in. Absolute paths stay. */
function within(folder: string, path: string): string {
  const plain = path.replace(/^\.\//, '');
  return folder === '' || /^(?:\/|~|[A-Za-z]:)/.test(plain) ? plain : `${folder.replace(/\/$/, '')}/${plain}`;
}

function readingsInShell(call: ToolCallPart): Reading[] {
  let folder = firstString(call.input, ['workdir', 'cwd']) ?? '';
  return commandsIn(commandLine(call)).flatMap((pipe) => {
    const [[name, target] = []] = pipe;
    if (name === 'cd' && target !== undefined) folder = within(folder, target);
    return readingOf(pipe).map(({ path, lines }) => ({ path: within(folder, path), lines }));
  });
}

const wholeNumber = /^\d+$/;

function linesOf(input: unknown): LineRange | null {
  if (typeof input !== 'object' || input === null) return null;
  const values = input as Readonly<Record<string, unknown>>;
  const number = (...names: readonly string[]) => {
    const found = names.map((name) => values[name]).find((value) => value !== undefined && value !== null);
    return found !== undefined && wholeNumber.test(argumentText(found)) ? Number(found) : null;
  };
  const [first, last] = Array.isArray(values.view_range) ? values.view_range.map(Number) : [];
  const from = first ?? number('offset', 'start_line', 'startLine', 'start');
  const to = last ?? number('end_line', 'endLine', 'end');
  if (to !== null && to > 0) return { from: from ?? 1, to };
  const count = number('limit');
  if (from === null && count === null) return null;
  return { from: from ?? 1, to: count === null ? Number.POSITIVE_INFINITY : (from ?? 1) + count - 1 };
}

/** The commands of a line with their words. Of a pipe, the commands in it are one. */
function commandsIn(line: string): string[][][] {
  const commands: string[][][] = [[[]]];
  for (const [token] of line.matchAll(tokens)) {
    if (/^(?:&&|\|\||;|&)$/.test(token)) commands.push([[]]);
    else if (token === '|') commands.at(-1)?.push([]);
    else commands.at(-1)?.at(-1)?.push(unquoted(token));
  }
  return commands;
}

const tokens = /&&|\|\||[;&|]|(?:"(?:[^"\\]|\\.)*"|'[^']*'|\\.|\d?>{1,2}&?\d?|[^\s;&|"'\\])+/g;

function unquoted(word: string): string {
  return word.replace(
    /"((?:[^"\\]|\\.)*)"|'([^']*)'|\\(.)/g,
    (_, double, single, escaped) => double ?? single ?? escaped,
  );
}

/** What a pipe prints of files. Anything that it filters out otherwise is no reading of them. */
function readingOf(pipe: readonly (readonly string[])[]): Reading[] {
  const [first = [], second, ...more] = pipe;
  const [name = '', ...words] = first;
  const files = words.filter((word) => !word.startsWith('-') && !/[<>*?$]/.test(word));
  if (more.length > 0 || words.some((word) => word.includes('>') || word.includes('<'))) return [];
  const printed = second === undefined ? null : rangeOf(second);
  if (second !== undefined && printed === null) return [];
  if (name === 'cat' || name === 'nl') return files.map((path) => ({ path, lines: printed }));
  const lines = rangeOf(first);
  const path = files.at(-1);
  return lines === null || path === undefined || second !== undefined ? [] : [{ path, lines }];
}

/** The lines that `sed -n 'a,bp'` or `head -n` prints; null for any other command. */
function rangeOf([name = '', ...words]: readonly string[]): LineRange | null {
  if (name === 'sed' && words.includes('-n')) {
    const [, from, to] = words.map((word) => /^(\d+)(?:,(\d+))?p$/.exec(word)).find((found) => found !== null) ?? [];
    return from === undefined ? null : { from: Number(from), to: Number(to ?? from) };
  }
  if (name !== 'head') return null;
  const count = words.map((word) => /^-(?:n|-lines=)?(\d+)$/.exec(word)?.[1] ?? null).find((found) => found !== null);
  const afterN = words[words.indexOf('-n') + 1];
  const to = count ?? (words.includes('-n') && wholeNumber.test(afterN ?? '') ? afterN : '10');
  return { from: 1, to: Number(to) };
}
