import { oneLine } from '../conversation/text';
import { subjectOf } from '../conversation/tool-subject';
import { declaredIn, deletedBy, exchangesOf, writesWhole } from './changes';
import { readingsOf } from './readings';
import { filesOf, type ToolStep } from './steps';

/** What was done with one file, and how it was left. */
export interface FileWork {
  readonly path: string;
  readonly isCreated: boolean;
  readonly isDeleted: boolean;
  /** Changes that succeeded. */
  readonly changes: number;
  readonly reads: number;
  /** Symbols that the changes declare, the newest first. */
  readonly symbols: readonly string[];
  /** Why the last change failed; null if it did not. */
  readonly problem: string | null;
  /** Why a change failed before one succeeded; null if none did. */
  readonly repaired: string | null;
  readonly entryId: string;
  /** Index of the last step that touched it. */
  readonly at: number;
  /** Index of the last step that changed it; -1 if none did. */
  readonly changedAt: number;
}

type Draft = { -readonly [Key in keyof FileWork]: FileWork[Key] };

/** The files that these steps name, in the order in which they were touched last. */
export function workByFile(steps: readonly ToolStep[]): FileWork[] {
  const files = new Map<string, Draft>();
  for (const [at, step] of steps.entries()) {
    const [entryId = ''] = step.entryIds;
    const isFailed = step.problem !== null;
    const deleted = isFailed ? [] : deletedBy(step.call, step.kind === 'change' ? '' : oneLine(subjectOf(step.call)));
    for (const path of new Set([...touchedBy(step), ...deleted])) {
      const file = files.get(path) ?? draft(path, step);
      files.set(path, file);
      Object.assign(file, { at, entryId });
      if (deleted.includes(path)) Object.assign(file, { isDeleted: true, problem: null });
      else if (step.kind === 'change') change(file, step);
      else if (!isFailed) file.reads += 1;
    }
  }
  return [...files.values()].sort((a, b) => a.at - b.at);
}

/** The files that a step names in arguments, or reads in a command line. */
function touchedBy(step: ToolStep): readonly string[] {
  if (step.kind === 'run') return [];
  const named = filesOf(step.call);
  return named.length > 0 ? named : readingsOf(step).map(({ path }) => path);
}

function draft(path: string, { call, kind }: ToolStep): Draft {
  const isCreated = kind === 'change' && writesWhole(call);
  return {
    path,
    isCreated,
    isDeleted: false,
    changes: 0,
    reads: 0,
    symbols: [],
    problem: null,
    repaired: null,
    entryId: '',
    at: 0,
    changedAt: -1,
  };
}

function change(file: Draft, { call, problem, result }: ToolStep): void {
  if (problem === null && file.problem !== null) file.repaired = file.problem;
  file.problem = problem;
  if (problem !== null || result === null) return;
  // A tool that says so knows better than the order of the calls.
  if (file.changes === 0 && file.isCreated && /\b(?:updated|overwr\w+)\b/i.test(result.text.slice(0, 200)))
    file.isCreated = false;
  file.isDeleted = false;
  file.changes += 1;
  file.changedAt = file.at;
  const own = exchangesOf(call).filter((exchange) => exchange.file === file.path);
  const names = declaredIn(own.map(({ after }) => after));
  file.symbols = [...new Set([...names, ...file.symbols])];
}

/**
 * The folder that most of these absolute paths share, of several the one by which they get shortest in all; empty if
 * there is none worth naming.
 */
export function commonFolder(paths: readonly string[]): string {
  const absolute = paths.filter((path) => /^(?:\/|[A-Za-z]:[\\/])/.test(path));
  if (absolute.length < 2) return '';
  const counts = new Map<string, number>();
  for (const path of absolute) {
    for (const { index } of [...path.matchAll(/[\\/]/g)].slice(1)) {
      const folder = path.slice(0, index + 1);
      counts.set(folder, (counts.get(folder) ?? 0) + 1);
    }
  }
  const shared = [...counts].filter(([, count]) => count >= Math.max(2, absolute.length * mostShare));
  const spared = ([folder, count]: readonly [string, number]) => folder.length * count;
  const [best] = shared.sort((one, other) => spared(other) - spared(one));
  return best?.[0] ?? '';
}

const mostShare = 0.6;

/** The name of a file in its folder. */
export function lastPart(path: string): string {
  return path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1);
}
