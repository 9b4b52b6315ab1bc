import { createHash } from 'node:crypto';
import { appendFile, mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { NewestLines } from '../../platform/files/newest-line';
import { privateFile, privateFolder } from '../../platform/files/private-modes';
import { replaceFile } from '../../platform/files/replace-file';
import { textOf } from '../../platform/files/text-of';
import * as s from '../../platform/json/schemas';
import { readLine } from '../../platform/lines/line';
import type { StoredOutline } from '../adapter';
import { agentNames } from '../session';
import type { Candidate } from './candidates';
import type { FileOutlines } from './outlines';

/** Increase it whenever adapters make outlines differently. */
const revision = 6;

type RequiredField = 'id' | 'key' | 'cwd' | 'title' | 'awaitsReply';

/** The checks of fields that an outline may lack. A field without a check does not compile. */
const optionalFields: Readonly<Record<Exclude<keyof StoredOutline, RequiredField>, (value: unknown) => boolean>> = {
  branch: (value) => typeof value === 'string',
  fill: isFill,
  isFork: (value) => value === true,
  isUnlisted: (value) => value === true,
  modified: Number.isFinite,
  size: Number.isFinite,
  inUse: (value) => typeof value === 'boolean',
};

/** Outlines that were kept with other fields are read again from their files. */
const version = `${revision}-${createHash('sha256').update(Object.keys(optionalFields).join()).digest('hex').slice(0, 8)}`;

interface CachedOutlines extends FileOutlines {
  readonly stamp: string;
}

/**
 * A cache of outlines by the stamp that each file had. Entries are checked against the file's present stamp; an
 * unreadable or unwritable cache only costs time.
 */
export class OutlineCache {
  /** Not stored. */
  readonly newestLines = new NewestLines();
  readonly #cached: Map<string, CachedOutlines>;
  /** Lines of the file on disk, including replaced ones. */
  #lines: number;
  readonly #fresh = new Set<string>();

  private constructor(
    /** Null: the cache is not stored. */
    readonly file: string | null,
    kept: Map<string, CachedOutlines>,
    lines: number,
  ) {
    this.#cached = kept;
    this.#lines = lines;
  }

  static inMemory(): OutlineCache {
    return new OutlineCache(null, new Map(), 0);
  }

  static async open(file: string): Promise<OutlineCache> {
    const lines = ((await textOf(file)) ?? '').split('\n').filter((line) => line !== '');
    const kept = new Map<string, CachedOutlines>();
    for (const [index, text] of lines.entries()) {
      const found = cachedIn(text, index + 1);
      if (found) kept.set(...found);
    }
    return new OutlineCache(file, kept, lines.length);
  }

  get({ file, stamp }: Candidate): FileOutlines | null {
    const kept = this.#cached.get(file);
    return kept?.stamp === stamp ? kept : null;
  }

  put({ file, stamp }: Candidate, outlines: FileOutlines): void {
    this.#cached.set(file, { ...outlines, stamp });
    this.#fresh.add(file);
  }

  /** Forgets files that are gone. */
  retain(files: ReadonlySet<string>): void {
    for (const file of this.#cached.keys()) if (!files.has(file)) this.#cached.delete(file);
  }

  /** Appends what is new; rewrites the file when most lines are stale. */
  async save(): Promise<void> {
    const { file } = this;
    const isMostlyStale = this.#lines > 2 * this.#cached.size + 100;
    if (file === null || (this.#fresh.size === 0 && !isMostlyStale)) return;
    await mkdir(dirname(file), { recursive: true, mode: privateFolder });
    if (isMostlyStale) await this.#rewrite(file);
    else await this.#append(file);
    this.#fresh.clear();
  }

  async #append(file: string): Promise<void> {
    await appendFile(file, this.#linesOf(this.#fresh), { mode: privateFile });
    this.#lines += this.#fresh.size;
  }

  async #rewrite(file: string): Promise<void> {
    await replaceFile(file, this.#linesOf(this.#cached.keys()));
    this.#lines = this.#cached.size;
  }

  #linesOf(files: Iterable<string>): string {
    return [...files].map((file) => `${JSON.stringify({ version, file, ...this.#cached.get(file) })}\n`).join('');
  }
}

/** Two windows may write at once, so a line can be torn; such a line is ignored. */
function cachedIn(text: string, number: number): [file: string, kept: CachedOutlines] | null {
  const reading = readLine({ number, text });
  if (reading.kind !== 'record' || reading.record.version !== version) return null;
  const { file, stamp, agent, sessions } = reading.record;
  const path = s.read(s.name, file);
  const isAgent = agent === null || (typeof agent === 'string' && Object.hasOwn(agentNames, agent));
  if (path === null || typeof stamp !== 'string' || !isAgent) return null;
  if (!Array.isArray(sessions) || !sessions.every(isOutline)) return null;
  return [path, { stamp, agent, sessions } as CachedOutlines];
}

function isOutline(value: unknown): boolean {
  if (!s.isRecord(value) || typeof value.id !== 'string' || typeof value.awaitsReply !== 'boolean') return false;
  const areTexts = [value.cwd, value.title, value.key].every((text) => text === null || typeof text === 'string');
  return (
    areTexts && Object.entries(optionalFields).every(([name, isRight]) => !(name in value) || isRight(value[name]))
  );
}

function isFill(value: unknown): boolean {
  if (!s.isRecord(value) || !Number.isFinite(value.tokens)) return false;
  return value.window === null || Number.isFinite(value.window);
}
