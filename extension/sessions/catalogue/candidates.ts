import type { Stats } from 'node:fs';
import { stat } from 'node:fs/promises';
import { localizable } from '../../engine/wording/localizable-text';
import type { AgentEnvironment } from '../../platform/files/environment';
import { filesBelow } from '../../platform/files/folder-walk';
import { inParallel } from '../../platform/files/parallel';
import { systemErrorCode } from '../../platform/files/with-file';
import { append } from '../../platform/json/append';
import type { SessionAdapter } from '../adapter';
import type { SessionIssue } from '../session';

/** A file that may hold sessions, by its name. */
export interface Candidate {
  readonly file: string;
  /** The agents whose sessions these may be. */
  readonly owners: readonly SessionAdapter[];
  /** Milliseconds since the epoch, of the newest of its files. */
  readonly modified: number;
  /** Bytes of all its files. */
  readonly size: number;
  /** Changes whenever one of its files is written. A cached outline is valid for one stamp only. */
  readonly stamp: string;
}

/** A folder to search, and the agents whose sessions may be in it. */
interface SearchedFolder {
  readonly root: string;
  readonly owners: readonly SessionAdapter[];
}

const statsAtOnce = 32;

/** Each agent's own folders, and the folders that a person named, which may contain sessions of any agent. */
export function searchedFolders(
  adapters: readonly SessionAdapter[],
  environment: AgentEnvironment,
  folders: readonly string[],
): SearchedFolder[] {
  const own = adapters.flatMap((adapter) =>
    adapter.roots(environment).map((root): SearchedFolder => ({ root, owners: [adapter] })),
  );
  return [...own, ...folders.map((root): SearchedFolder => ({ root, owners: adapters }))];
}

export async function candidatesIn(places: readonly SearchedFolder[], issues: SessionIssue[]): Promise<Candidate[]> {
  const files = new Map<string, readonly SessionAdapter[]>();
  for (const { root, owners } of places) {
    const walk = await filesBelow(root, Math.max(...owners.map((adapter) => adapter.foldersBelowRoot)));
    append(issues, walk.issues);
    for (const file of walk.files) {
      const possible = possibleOwners(file, owners);
      if (possible.length > 0 && !files.has(file)) files.set(file, possible);
    }
  }
  const found = await inParallel([...files], statsAtOnce, ([file, owners]) => candidateAt(file, owners, issues));
  return found.filter((candidate) => candidate !== null);
}

export function possibleOwners(file: string, owners: readonly SessionAdapter[]): SessionAdapter[] {
  return owners.filter((adapter) => adapter.mayBeSession(file));
}

/** Null if it does not exist, or cannot be read, which is reported as an issue. */
export async function candidateAt(
  file: string,
  owners: readonly SessionAdapter[],
  issues: SessionIssue[],
): Promise<Candidate | null> {
  const own = await statsOf(file, issues);
  if (own === null) return null;
  const companions = owners.filter((owner) => owner.kind === 'store');
  const beside = await Promise.all(
    companions.flatMap((owner) => owner.companions(file)).map((path) => statsOf(path, issues, 'may be missing')),
  );
  const all = [own, ...beside.filter((stats) => stats !== null)];
  return {
    file,
    owners,
    modified: Math.max(...all.map(({ mtimeMs }) => mtimeMs)),
    size: all.reduce((sum, { size }) => sum + size, 0),
    stamp: all.map(({ size, mtimeMs, ino }) => `${size}:${mtimeMs}:${ino}`).join(' '),
  };
}

async function statsOf(path: string, issues: SessionIssue[], ifMissing?: 'may be missing'): Promise<Stats | null> {
  try {
    const stats = await stat(path);
    return stats.isFile() ? stats : null;
  } catch (error) {
    const code = systemErrorCode(error);
    if (code === 'ENOENT' && ifMissing) return null;
    issues.push({ file: path, line: 0, message: localizable('{0} cannot be read ({1})', path, String(code)) });
    return null;
  }
}
