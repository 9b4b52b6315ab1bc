import type { CountTokens } from '../conversation/tokens';
import type { Artifact } from './loss-report';

export interface NameListLimits {
  /** Maximum counted tokens of all lines. */
  readonly tokens: number;
  readonly countTokens: CountTokens;
  /** Whether the surrounding text already contains the name. */
  readonly isCovered: (name: string) => boolean;
  /** Paths are written relative to this folder, which ends with a slash; empty: as they are. */
  readonly root?: string;
}

/** Lines with names, and the names in them. */
export interface NameList {
  readonly lines: readonly string[];
  readonly names: readonly Artifact[];
}

/** Maximum number of files and of other names. More of them are a wall that nobody reads, however much room there is. */
const most = { files: 60, others: 50 };

/** After this many names in a row that do not fit, the list counts as full. */
const maxMisses = 30;

/**
 * Packs as many of these names as fit into few tokens: files grouped by folder in shell notation, other names side by
 * side. `reportLoss` finds each of them verbatim. A path also covers its own shorter forms.
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
  readonly #covered = new Set<string>();
  readonly #folders = new Set<string>();
  #left: number;
  #misses = 0;
  readonly #counts = { files: 0, others: 0 };

  constructor(readonly limits: NameListLimits) {
    this.#left = limits.tokens;
  }

  get isFull(): boolean {
    return this.#left <= 0 || this.#misses > maxMisses;
  }

  add(name: Artifact): void {
    if (this.#covered.has(name.text) || this.limits.isCovered(name.text)) return;
    const kind = isFile(name) ? 'files' : 'others';
    if (this.#counts[kind] >= most[kind]) return;
    const tokens = this.#cost(name);
    if (tokens > this.#left) {
      this.#misses += 1;
      return;
    }
    this.#left -= tokens;
    this.#counts[kind] += 1;
    this.#names.push(name);
    this.#folders.add(folderOf(name.text));
    for (const shorter of pathForms(name.text)) this.#covered.add(shorter);
  }

  /** An estimate: the exact cost is only known once the list is written. */
  #cost({ text }: Artifact): number {
    const folder = folderOf(text);
    if (folder === '' || !this.#folders.has(folder))
      return this.limits.countTokens(` ${text}`) + (folder === '' ? 0 : 1);
    return this.limits.countTokens(`,${baseOf(text)}`);
  }

  /** Token counts do not add up exactly, so the last names are removed until the written list fits. */
  trimmed(): NameList {
    let names = this.#names;
    for (;;) {
      const lines = linesOf(names, this.limits.root ?? '');
      const over = this.limits.countTokens(lines.join('\n')) - this.limits.tokens;
      if (over <= 0 || names.length === 0) return { lines: names.length === 0 ? [] : lines, names };
      names = names.slice(0, -Math.max(1, Math.floor(over / 8)));
    }
  }
}

/** Maximum names in one line: more of them are read as noise. */
const maxPerLine = 10;

function linesOf(names: readonly Artifact[], root: string): string[] {
  const files = names.filter(isFile).map(({ text }) => relativeTo(root, text));
  const others = names.filter((name) => !isFile(name)).map(({ text }) => text);
  return [
    ...groupsOf(files).map((group) => `- Files: ${byFolder(group).join(' ')}`),
    ...groupsOf(others).map((group) => `- Names: ${group.join(' ')}`),
  ];
}

function groupsOf(names: readonly string[]): string[][] {
  const groups: string[][] = [];
  for (let at = 0; at < names.length; at += maxPerLine) groups.push(names.slice(at, at + maxPerLine));
  return groups;
}

/** A path below this folder without it; any other as it is. */
export function relativeTo(root: string, path: string): string {
  return root !== '' && path.startsWith(root) && path.length > root.length ? path.slice(root.length) : path;
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

/** With the trailing slash; empty without a folder. */
function folderOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/') + 1);
}

function baseOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/** The path and its shorter forms without leading folders. */
function pathForms(path: string): string[] {
  const shorter: string[] = [path];
  for (let at = path.indexOf('/'); at !== -1; at = path.indexOf('/', at + 1)) shorter.push(path.slice(at + 1));
  return shorter;
}

/** Maps a name to the heaviest longer path that ends with it, if any: writing that path covers both. */
function longerPaths(ranked: readonly Artifact[]): (name: Artifact) => Artifact {
  const heaviest = new Map<string, Artifact>();
  for (const name of ranked) {
    for (const shorter of pathForms(name.text).slice(1)) if (!heaviest.has(shorter)) heaviest.set(shorter, name);
  }
  return (name) => {
    let longest = name;
    for (let longer = heaviest.get(longest.text); longer; longer = heaviest.get(longest.text)) longest = longer;
    return longest;
  };
}
