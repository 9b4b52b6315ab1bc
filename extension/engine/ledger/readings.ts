import type { ToolCallPart } from '../conversation/entry';
import { argumentsIn, argumentText } from '../conversation/tool-subject';
import { isAbsolute, type PlacedCommand, placedCommandsOf, within } from './placed-commands';
import { filesOf, running, type ToolStep } from './steps';

/** Lines of a file, 1-based and inclusive. */
export interface LineRange {
  readonly from: number;
  readonly to: number;
}

/** A file, or a part of it, that a call read. */
export interface Reading {
  readonly path: string;
  /** Null: the whole file, or a part that the call does not specify by line numbers. */
  readonly lines: LineRange | null;
}

export const searching = /grep|search|glob|find|list|^ls$|tree|directory/i;

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

function readingsInShell(call: ToolCallPart): Reading[] {
  return pipesIn(placedCommandsOf(call)).flatMap((pipe) => {
    const folder = pipe[0]?.folder ?? null;
    return readingOf(pipe).flatMap(({ path, lines }) =>
      folder === null && !isAbsolute(path) ? [] : [{ path: within(folder ?? '', path), lines }],
    );
  });
}

function pipesIn(commands: readonly PlacedCommand[]): PlacedCommand[][] {
  const pipes: PlacedCommand[][] = [];
  for (const command of commands) {
    if (command.joinedBy === '|') pipes.at(-1)?.push(command);
    else pipes.push([command]);
  }
  return pipes;
}

const wholeNumber = /^\d+$/;

function linesOf(input: unknown): LineRange | null {
  const values = argumentsIn(input);
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

/** The parts of files that a pipe prints. A pipe with other filters does not count as reading. */
function readingOf(pipe: readonly PlacedCommand[]): Reading[] {
  const [first, second, ...more] = pipe;
  if (first === undefined || more.length > 0) return [];
  const { program, args, input, hereDocument } = first;
  if (input !== null || hereDocument !== null || pipe.some(({ outputs }) => outputs.length > 0)) return [];
  const files = args.filter(({ text, isPlain }) => isPlain && !text.startsWith('-')).map(({ text }) => text);
  const printed = second === undefined ? null : rangeOf(second);
  if (second !== undefined && printed === null) return [];
  if (program === 'cat' || program === 'nl') return files.map((path) => ({ path, lines: printed }));
  const lines = rangeOf(first);
  const path = files.at(-1);
  return lines === null || path === undefined || second !== undefined ? [] : [{ path, lines }];
}

/** The lines that `sed -n 'a,bp'` or `head -n` prints; null for any other command. */
function rangeOf({ program: name, args }: PlacedCommand): LineRange | null {
  const words = args.map(({ text }) => text);
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
