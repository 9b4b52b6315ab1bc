import { isRefused } from './answers';
import { declaredIn, deletedInPatch, exchangesOf, writesWhole } from './changes';
import { isShell } from './commands';
import { isAbsolute } from './placed-commands';
import { readingsOf, searching } from './readings';
import { type FileAct, fileActsOf, targetOf } from './shell-acts';
import { filesOf, type ToolStep } from './steps';

/** The acts on one file, and its state afterwards. */
export interface FileWork {
  readonly path: string;
  readonly isCreated: boolean;
  readonly isDeleted: boolean;
  /** The path to which a command last moved it, as the command writes it; null if it was never moved. */
  readonly movedTo: string | null;
  /** Changes that succeeded. */
  readonly changes: number;
  /** How many of them a command line made. */
  readonly byCommand: number;
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
  const acts = steps.map(actsOf);
  const names = new FileNames(acts.flat());
  const files = new Files();
  for (const [at, step] of steps.entries()) {
    for (const act of acts[at] ?? []) files.take(names.inAct(act), step, at);
  }
  return files.all().sort((a, b) => a.at - b.at);
}

type Act =
  | FileAct
  /** By a tool for files. */
  | { readonly kind: 'changed' | 'read'; readonly path: string };

function actsOf(step: ToolStep): Act[] {
  const paths = touchedBy(step).map((path): Act => ({ kind: step.kind === 'change' ? 'changed' : 'read', path }));
  if (step.kind === 'change') {
    const deleted = step.problem === null ? deletedInPatch(step.call) : [];
    return [
      ...paths.filter(({ path }) => !deleted.includes(path)),
      ...deleted.map((path): Act => ({ kind: 'deleted', path, isFolder: false })),
    ];
  }
  const acts = isShell(step.call) ? fileActsOf(step) : [];
  const written = new Set(acts.flatMap(({ kind, path }) => (kind === 'written' ? [path] : [])));
  return [...(step.problem === null ? paths.filter(({ path }) => !written.has(path)) : []), ...acts];
}

/** The files that a step names in arguments, or reads in a command line. */
function touchedBy(step: ToolStep): readonly string[] {
  const isSearch = step.kind !== 'change' && searching.test(step.call.name);
  if (step.kind === 'run' || isSearch || isRefused(step)) return [];
  const named = filesOf(step.call);
  return [...new Set(named.length > 0 ? named : readingsOf(step).map(({ path }) => path))];
}

/** A command line names files by paths of the folder that it runs in; tools often name them by absolute paths. */
class FileNames {
  readonly #absolute = new Map<string, Set<string>>();

  constructor(acts: readonly Act[]) {
    for (const { path } of acts) {
      if (!isAbsolute(path)) continue;
      const known = this.#absolute.get(lastPart(path)) ?? new Set();
      this.#absolute.set(lastPart(path), known.add(path));
    }
  }

  inAct(act: Act): Act {
    if (act.kind === 'moved') return { ...act, path: this.#whole(act.path), to: this.#whole(act.to) };
    return { ...act, path: this.#whole(act.path) };
  }

  /** The only absolute path that ends with this one; the path itself if there is none or several. */
  #whole(path: string): string {
    if (isAbsolute(path) || !path.includes('/')) return path;
    const found = [...(this.#absolute.get(lastPart(path)) ?? [])].filter((known) => known.endsWith(`/${path}`));
    return (found.length === 1 ? found[0] : undefined) ?? path;
  }
}

class Files {
  readonly #files = new Map<string, Draft>();
  /** Deleted files, by their names within their folders. */
  readonly #deleted = new Map<string, Set<Draft>>();

  all(): FileWork[] {
    return [...this.#files.values()];
  }

  take(act: Act, step: ToolStep, at: number): void {
    if (act.kind === 'named') this.#isThere(act.path);
    else if (act.kind === 'moved') this.#move(act, step, at);
    else if (act.kind === 'deleted' && act.isFolder) this.#deleteFolder(act.path, step, at);
    else if (act.kind === 'deleted') this.#delete(this.#file(act.path, step, at));
    else this.#touch(act, step, at);
  }

  #touch(act: Extract<Act, { kind: 'changed' | 'read' | 'written' }>, step: ToolStep, at: number): void {
    this.#isThere(act.path);
    const file = this.#file(act.path, step, at);
    if (act.kind === 'changed') change(file, step);
    else if (act.kind === 'written') written(file, act);
    else file.reads += 1;
  }

  #file(path: string, step: ToolStep, at: number): Draft {
    const file = this.#files.get(path) ?? draft(path, step);
    this.#files.set(path, file);
    return Object.assign(file, { at, entryId: step.entryIds[0] ?? '' });
  }

  #delete(file: Draft): void {
    Object.assign(file, { isDeleted: true, problem: null });
    const name = lastPart(file.path);
    this.#deleted.set(name, (this.#deleted.get(name) ?? new Set()).add(file));
  }

  /** Only the files that were touched in a folder are known. */
  #deleteFolder(folder: string, step: ToolStep, at: number): void {
    const inside = [...this.#files.values()].filter(
      ({ path, isDeleted }) => !isDeleted && (path === folder || path.startsWith(`${folder.replace(/\/$/, '')}/`)),
    );
    for (const { path } of inside) this.#delete(this.#file(path, step, at));
  }

  /** A file that is named after its deletion may have been created again, under any path. */
  #isThere(path: string): void {
    for (const file of this.#deleted.get(lastPart(path)) ?? []) file.isDeleted = false;
    this.#deleted.delete(lastPart(path));
  }

  #move({ path, to }: Extract<Act, { kind: 'moved' }>, step: ToolStep, at: number): void {
    this.#isThere(to);
    const before = this.#files.get(path);
    const target = this.#files.get(targetOf(path, to));
    const isBack = target?.movedTo === path;
    if (target !== undefined) Object.assign(target, { movedTo: null, isDeleted: false, problem: null });
    if (before !== undefined && before.changes > 0) {
      const moved = this.#file(targetOf(path, to), step, at);
      moved.isCreated = before.isCreated;
      moved.changes += before.changes;
      moved.byCommand += before.byCommand;
      moved.symbols = [...new Set([...before.symbols, ...moved.symbols])];
      moved.changedAt = at;
    }
    if (before?.isCreated || isBack) this.#files.delete(path);
    else
      Object.assign(this.#file(path, step, at), { movedTo: to, changes: 0, reads: 0, isDeleted: false, problem: null });
  }
}

function draft(path: string, { call, kind }: ToolStep): Draft {
  const isCreated = kind === 'change' && writesWhole(call);
  return {
    path,
    isCreated,
    isDeleted: false,
    movedTo: null,
    changes: 0,
    byCommand: 0,
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
  // A tool that states this is more reliable than the order of the calls.
  if (file.changes === 0 && file.isCreated && /\b(?:updated|overwr\w+)\b/i.test(result.text.slice(0, 200)))
    file.isCreated = false;
  const own = exchangesOf(call).filter((exchange) => isSamePath(exchange.file, file.path));
  changed(file, declaredIn(own.map(({ after }) => after)));
}

function isSamePath(named: string, path: string): boolean {
  return named === path || path.endsWith(`/${named}`);
}

function written(file: Draft, { text, isNew }: Extract<Act, { kind: 'written' }>): void {
  if (file.changes === 0 && file.reads === 0 && isNew) file.isCreated = true;
  file.byCommand += 1;
  file.problem = null;
  changed(file, declaredIn([text]));
}

function changed(file: Draft, names: readonly string[]): void {
  file.isDeleted = false;
  file.movedTo = null;
  file.changes += 1;
  file.changedAt = file.at;
  file.symbols = [...new Set([...names, ...file.symbols])];
}

/**
 * The folder that most of these absolute paths share; among several, the one that shortens them most. Empty if none is
 * worth naming.
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
  const savedCharacters = ([folder, count]: readonly [string, number]) => folder.length * count;
  const [best] = shared.sort((one, other) => savedCharacters(other) - savedCharacters(one));
  return best?.[0] ?? '';
}

const mostShare = 0.6;

/** The name of a file in its folder. */
export function lastPart(path: string): string {
  return path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1);
}
