import { stat } from 'node:fs/promises';
import { isOwnRun } from '../../engine/block/own-runs';
import { localizable } from '../../engine/wording/localizable-text';
import type { AgentEnvironment } from '../../platform/files/environment';
import { filesBelow } from '../../platform/files/folder-walk';
import { inParallel } from '../../platform/files/parallel';
import { orIfUnreadable, systemErrorCode } from '../../platform/files/with-file';
import { append } from '../../platform/json/append';
import type { Occupancy, SessionAdapter, StoredOutline } from '../adapter';
import { addressText } from '../address';
import { isLive } from '../live';
import type { AgentId, SessionIssue, SessionSummary } from '../session';
import { type Candidate, candidateAt, candidatesIn, possibleOwners, searchedFolders } from './candidates';
import { OutlineCache } from './outline-cache';
import { type FileOutlines, isCacheable, type OutlineReading, outlinesIn } from './outlines';

export interface Discovery {
  /** Newest first. */
  readonly sessions: readonly SessionSummary[];
  /** Number of files that may contain sessions; with a limit, more than were opened. */
  readonly files: number;
  /** Folders and files that could not be read. */
  readonly issues: readonly SessionIssue[];
}

export interface CatalogueOptions {
  readonly adapters: readonly SessionAdapter[];
  /** Folders to search besides the agents' own. */
  readonly folders?: readonly string[];
  readonly cache?: OutlineCache;
  readonly now?: () => number;
}

const filesAtOnce = 8;

interface ListedFile {
  readonly candidate: Candidate;
  readonly outlines: FileOutlines;
}

/** All agents' sessions. Searched for once, and afterwards only where something changed. */
export class SessionCatalogue {
  readonly #cache: OutlineCache;
  readonly #files = new Map<string, ListedFile>();
  /** For each file that changes with another one, by path: the file that it belongs to. */
  readonly #companions = new Map<string, string>();
  readonly #occupancy = new Map<AgentId, Occupancy>();
  #candidates = 0;

  constructor(
    private readonly environment: AgentEnvironment,
    private readonly options: CatalogueOptions,
  ) {
    this.#cache = options.cache ?? OutlineCache.inMemory();
  }

  /** The folders whose files are sessions. */
  get roots(): readonly string[] {
    return [...new Set(this.#places().map(({ root }) => root))];
  }

  /** Searches all folders. Opens only about as many files as sessions are requested, and no known file. */
  async scan(limit = Number.POSITIVE_INFINITY): Promise<Discovery> {
    const issues: SessionIssue[] = [];
    const candidates = await candidatesIn(this.#places(), issues);
    candidates.sort((one, other) => other.modified - one.modified);
    this.#candidates = candidates.length;
    this.#files.clear();
    this.#companions.clear();
    this.#cache.retain(new Set(candidates.map(({ file }) => file)));
    await this.#lookForProcesses();
    for (let next = 0; next < candidates.length && !this.#isEnough(limit, candidates[next]); ) {
      const batch = candidates.slice(next, next + Math.max(filesAtOnce, Math.min(limit, candidates.length)));
      next += batch.length;
      await this.#read(batch, issues);
    }
    await this.#save(issues);
    return this.#discovery(issues, limit);
  }

  /** Checks only the files and folders that were written, created or removed. */
  async look(paths: readonly string[], limit = Number.POSITIVE_INFINITY): Promise<Discovery> {
    const issues: SessionIssue[] = [];
    await this.#lookForProcesses();
    for (const path of new Set(paths)) await this.#lookAt(path, issues);
    await this.#save(issues);
    // Some are gone, and older ones that were not opened may take their places.
    const isShort = this.#files.size < this.#candidates && this.#listedSessions() < limit;
    return isShort ? await this.scan(limit) : this.#discovery(issues, limit);
  }

  async #lookAt(path: string, issues: SessionIssue[]): Promise<void> {
    const kind = await kindOf(path);
    if (kind === 'folder') {
      const walk = await filesBelow(path, this.#deepest());
      for (const file of walk.files) await this.#lookAtFile(file, issues);
    } else if (kind === 'file') {
      await this.#lookAtFile(this.#companions.get(path) ?? path, issues);
    } else {
      this.#forget(path);
      const owner = this.#companions.get(path);
      if (owner !== undefined) await this.#lookAtFile(owner, issues);
    }
  }

  async #lookAtFile(file: string, issues: SessionIssue[]): Promise<void> {
    const owners = possibleOwners(file, this.#ownersAt(file));
    if (owners.length === 0) return;
    const candidate = await candidateAt(file, owners, issues);
    if (candidate !== null) await this.#read([candidate], issues);
  }

  /** A file, or a folder with all of its content. */
  #forget(path: string): void {
    if (this.#files.delete(path)) {
      this.#candidates -= 1;
      return;
    }
    for (const file of this.#files.keys()) {
      if (isBelow(file, path) && this.#files.delete(file)) this.#candidates -= 1;
    }
  }

  #list(listed: ListedFile): void {
    const { file, owners } = listed.candidate;
    this.#files.set(file, listed);
    for (const owner of owners) {
      if (owner.kind === 'store') for (const path of owner.companions(file)) this.#companions.set(path, file);
    }
  }

  async #read(batch: readonly Candidate[], issues: SessionIssue[]): Promise<void> {
    await inParallel(batch, filesAtOnce, async (candidate) => {
      const known = this.#cache.get(candidate);
      const outlines = known ?? (await readOutlines(candidate, { issues, newestLines: this.#cache.newestLines }));
      if (known === null && isCacheable(outlines)) this.#cache.put(candidate, outlines);
      this.#list({ candidate, outlines });
    });
  }

  /** A session is never newer than its file, so what is left is older than what was asked for. */
  #isEnough(limit: number, next: Candidate | undefined): boolean {
    if (next === undefined || limit === Number.POSITIVE_INFINITY) return false;
    let newer = 0;
    for (const listed of this.#files.values()) {
      newer += listed.outlines.sessions.filter((session) => modifiedOf(session, listed) >= next.modified).length;
    }
    return newer >= limit;
  }

  #discovery(issues: readonly SessionIssue[], limit: number): Discovery {
    const now = (this.options.now ?? Date.now)();
    const sessions: SessionSummary[] = [];
    for (const listed of this.#newestParts()) append(sessions, this.#summaries(listed, now));
    sessions.sort((one, other) => other.modified - one.modified || (one.file < other.file ? -1 : 1));
    return { sessions: sessions.slice(0, limit), files: Math.max(this.#candidates, this.#files.size), issues };
  }

  #listedSessions(): number {
    let sessions = 0;
    for (const { outlines } of this.#files.values()) sessions += outlines.sessions.length;
    return sessions;
  }

  /** Among files that are parts of one session, the newest represents it. */
  #newestParts(): readonly ListedFile[] {
    const newest = new Map<string, { readonly listed: ListedFile; readonly order: string }>();
    for (const listed of this.#files.values()) {
      const { file } = listed.candidate;
      const { agent } = listed.outlines;
      const part = this.options.adapters.find((adapter) => adapter.agent === agent)?.partOf?.(file) ?? null;
      const key = part === null ? file : `${agent} ${part.session}`;
      const order = part?.order ?? '';
      const known = newest.get(key);
      if (known === undefined || order > known.order) newest.set(key, { listed, order });
    }
    return [...newest.values()].map(({ listed }) => listed);
  }

  #summaries(listed: ListedFile, now: number): SessionSummary[] {
    const { file, size } = listed.candidate;
    const { agent, sessions } = listed.outlines;
    if (agent === null) return [];
    const occupancy = this.#occupancy.get(agent);
    const ofPersons = sessions.filter(({ cwd }) => !isOwnRun(cwd));
    return ofPersons.map((session) => {
      const {
        key,
        awaitsReply,
        isUnlisted: _,
        inUse: saysInUse,
        modified: _written,
        size: ownSize,
        ...shown
      } = session;
      const modified = modifiedOf(session, listed);
      const inUse = saysInUse === true || occupancy?.inUse.has(shown.id) === true;
      const isLeft = occupancy?.left.has(shown.id) === true;
      const live = isLive({ inUse, isLeft, modified, awaitsReply }, now);
      return { agent, ...shown, file: addressText({ file, key }), modified, size: ownSize ?? size, live };
    });
  }

  async #lookForProcesses(): Promise<void> {
    await inParallel(this.options.adapters, filesAtOnce, async (adapter) => {
      const occupancy = await adapter.occupancy?.(this.environment);
      if (occupancy) this.#occupancy.set(adapter.agent, occupancy);
    });
  }

  /** A failure is only reported: without the cache everything works, but takes longer. */
  async #save(issues: SessionIssue[]): Promise<void> {
    try {
      await this.#cache.save();
    } catch (error) {
      const code = systemErrorCode(error);
      if (code === null) throw error;
      const file = this.#cache.file ?? '';
      issues.push({
        file,
        line: 0,
        message: localizable('{0} could not be written ({1}); the next list takes longer', file, code),
      });
    }
  }

  #places() {
    return searchedFolders(this.options.adapters, this.environment, this.options.folders ?? []);
  }

  #ownersAt(file: string): SessionAdapter[] {
    return [...new Set(this.#places().flatMap(({ root, owners }) => (isBelow(file, root) ? owners : [])))];
  }

  #deepest(): number {
    return Math.max(...this.options.adapters.map((adapter) => adapter.foldersBelowRoot));
  }
}

/** A file that cannot be interpreted must not prevent the others from being listed. */
async function readOutlines(candidate: Candidate, reading: OutlineReading): Promise<FileOutlines> {
  try {
    return await outlinesIn(candidate, reading);
  } catch (error) {
    const reason = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
    reading.issues.push({
      file: candidate.file,
      line: 0,
      message: localizable('{0} cannot be listed ({1})', candidate.file, reason),
    });
    return { agent: null, sessions: [] };
  }
}

function modifiedOf(session: StoredOutline, { candidate }: ListedFile): number {
  return Math.min(session.modified ?? candidate.modified, candidate.modified);
}

function isBelow(file: string, folder: string): boolean {
  return file.startsWith(folder) && /^[\\/]/.test(file.slice(folder.replace(/[\\/]+$/, '').length));
}

async function kindOf(path: string): Promise<'file' | 'folder' | 'gone'> {
  const found = await orIfUnreadable(stat(path), null);
  if (found === null) return 'gone';
  return found.isDirectory() ? 'folder' : 'file';
}
