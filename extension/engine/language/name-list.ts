import type { CountTokens } from '../conversation/tokens';
import type { Artifact } from './loss-report';

export interface NameListLimits {
  /** For the lines as a whole, counted. */
  readonly tokens: number;
  readonly countTokens: CountTokens;
  /** Whether something is said elsewhere already. */
  readonly isSaid: (name: string) => boolean;
}

/** Names on few lines, and which they are. */
export interface NameList {
  readonly lines: readonly string[];
  readonly names: readonly Artifact[];
}

/** After so many names in a row that do not fit, hardly another one will. */
const missesBeforeFull = 30;

/**
 * The first of these names that fit, in few tokens: files by folder, as a shell would write them, and the others side
 * by side. Each stands verbatim for `reportLoss`. A path says the shorter ways to write it too.
 */
export function listNames(ranked: readonly Artifact[], limits: NameListLimits): NameList {
  const longer = longerPaths(ranked);
  const list = new Packing(limits);
  for (const name of ranked) {
    if (list.isFull) break;
    list.add(longer(name));
  }
  return list.trimmed();
}

class Packing {
  readonly #names: Artifact[] = [];
  readonly #said = new Set<string>();
  readonly #folders = new Set<string>();
  #left: number;
  #misses = 0;

  constructor(readonly limits: NameListLimits) {
    this.#left = limits.tokens - limits.countTokens(linesOf([]).join('\n'));
  }

  get isFull(): boolean {
    return this.#left <= 0 || this.#misses > missesBeforeFull;
  }

  add(name: Artifact): void {
    if (this.#said.has(name.text) || this.limits.isSaid(name.text)) return;
    const tokens = this.#cost(name);
    if (tokens > this.#left) {
      this.#misses += 1;
      return;
    }
    this.#left -= tokens;
    this.#names.push(name);
    this.#folders.add(folderOf(name.text));
    for (const shorter of writings(name.text)) this.#said.add(shorter);
  }

  /** As far as it can be told before the list is written. */
  #cost({ text }: Artifact): number {
    const folder = folderOf(text);
    if (folder === '' || !this.#folders.has(folder))
      return this.limits.countTokens(` ${text}`) + (folder === '' ? 0 : 1);
    return this.limits.countTokens(`,${baseOf(text)}`);
  }

  /** Tokens do not add up exactly: the last names go until the list as it is written fits. */
  trimmed(): NameList {
    let names = this.#names;
    for (;;) {
      const lines = linesOf(names);
      const over = this.limits.countTokens(lines.join('\n')) - this.limits.tokens;
      if (over <= 0 || names.length === 0) return { lines: names.length === 0 ? [] : lines, names };
      names = names.slice(0, -Math.max(1, Math.floor(over / 8)));
    }
  }
}

function linesOf(names: readonly Artifact[]): string[] {
  const files = names.filter(isFile).map(({ text }) => text);
  const others = names.filter((name) => !isFile(name)).map(({ text }) => text);
  return [
    ...(files.length > 0 ? [`- Files: ${byFolder(files).join(' ')}`] : []),
    ...(others.length > 0 ? [`- Names: ${others.join(' ')}`] : []),
  ];
}

function isFile({ kind, text }: Artifact): boolean {
  return kind === 'file' || text.includes('/');
}

function byFolder(files: readonly string[]): string[] {
  const folders = new Map<string, string[]>();
  for (const file of files) {
    const folder = folderOf(file);
    const inFolder = folders.get(folder);
    if (inFolder) inFolder.push(baseOf(file));
    else folders.set(folder, [baseOf(file)]);
  }
  return [...folders].flatMap(([folder, bases]) => {
    if (folder === '') return bases;
    return [bases.length === 1 ? `${folder}${bases[0]}` : `${folder}{${bases.join(',')}}`];
  });
}

/** With the slash at its end; empty for a name without a folder. */
function folderOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/') + 1);
}

function baseOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/** The path, and all that is left of it without its first folders. */
function writings(path: string): string[] {
  const shorter: string[] = [path];
  for (let at = path.indexOf('/'); at !== -1; at = path.indexOf('/', at + 1)) shorter.push(path.slice(at + 1));
  return shorter;
}

/** For each file the heaviest path that ends with it, if there is one: to write that says both. */
function longerPaths(ranked: readonly Artifact[]): (name: Artifact) => Artifact {
  const heaviest = new Map<string, Artifact>();
  for (const name of ranked) {
    for (const shorter of writings(name.text).slice(1)) if (!heaviest.has(shorter)) heaviest.set(shorter, name);
  }
  return (name) => {
    let longest = name;
    for (let longer = heaviest.get(longest.text); longer; longer = heaviest.get(longest.text)) longest = longer;
    return longest;
  };
}
