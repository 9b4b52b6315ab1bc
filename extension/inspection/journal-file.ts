import { randomUUID } from 'node:crypto';
import { type FileHandle, mkdir, open, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import {
  encodeRecord,
  type JournalRecord,
  journalVersion,
  type ReadJournal,
  readJournal,
  type SessionIdentity,
} from '../engine/compaction/journal';
import { emptyJournalState, foldJournal, type JournalState } from '../engine/compaction/journal-state';

/** The journal must not be written now; the message says why. What is in it has not changed. */
export class JournalReadOnly extends Error {
  override name = 'JournalReadOnly';
}

/** A record could not be written; the journal is as it was before. */
export class JournalWriteFailed extends Error {
  override name = 'JournalWriteFailed';
}

/** A record without what only the journal knows. */
export type Draft = JournalRecord extends infer R ? (R extends JournalRecord ? Omit<R, 'seq' | 'time'> : never) : never;

interface Loaded {
  readonly journal: ReadJournal;
  readonly state: JournalState;
  /** Bytes of the file up to the end of its last whole record, and of all of it. */
  readonly sound: number;
  readonly size: number;
}

const nothing: Loaded = {
  journal: { records: [], issues: [], readOnlyBecause: null, tornTail: false },
  state: emptyJournalState,
  sound: 0,
  size: 0,
};

/** One conversation's journal on disk. Several processes may have it open: each reads what the others appended. */
export class JournalFile {
  #loaded: Loaded = nothing;

  private constructor(
    readonly path: string,
    readonly session: SessionIdentity,
  ) {}

  static async open(path: string, session: SessionIdentity): Promise<JournalFile> {
    const file = new JournalFile(path, session);
    await file.refresh();
    return file;
  }

  get state(): JournalState {
    return this.#loaded.state;
  }

  get issues(): readonly { file: string; line: number; message: string }[] {
    return this.#loaded.journal.issues.map((issue) => ({ file: this.path, ...issue }));
  }

  get readOnlyBecause(): string | null {
    return this.#loaded.journal.readOnlyBecause;
  }

  /** Reads the file again if it has changed; says whether it had. */
  async refresh(): Promise<boolean> {
    const size = await sizeOf(this.path);
    if (size === this.#loaded.size) return false;
    this.#loaded = size === 0 ? nothing : load(await readFile(this.path), this.session);
    return true;
  }

  /**
   * Appends what `draft` makes of the newest state, all of it or nothing. `draft` is called while no other process can
   * write, and may throw to leave the journal as it is.
   */
  async append(draft: (state: JournalState) => readonly JournalRecord[]): Promise<void> {
    await mkdir(dirname(this.path), { recursive: true });
    await withLock(`${this.path}.lock`, async () => {
      await this.refresh();
      if (this.readOnlyBecause !== null) throw new JournalReadOnly(`${this.path}: ${this.readOnlyBecause}`);
      const records = draft(this.state);
      if (records.length > 0) await this.#write(records);
    });
  }

  async #write(records: readonly JournalRecord[]): Promise<void> {
    const lines = records.map((record) => `${encodeRecord(record)}\n`).join('');
    const bytes = Buffer.from(lines);
    try {
      await appendAt(this.path, this.#loaded.sound, bytes);
    } catch (error) {
      throw new JournalWriteFailed(`The journal ${this.path} could not be written: ${messageOf(error)}`, {
        cause: error,
      });
    }
    await this.refresh();
  }
}

/** The first record of a new journal. */
export function headerRecord(session: SessionIdentity, time: string): JournalRecord {
  return { kind: 'header', seq: 0, time, version: journalVersion, session };
}

const lineFeed = 0x0a;

function load(bytes: Buffer, session: SessionIdentity): Loaded {
  const journal = readJournal(bytes.toString('utf8').split(/(?<=\n)/), session);
  const sound = journal.tornTail ? bytes.lastIndexOf(lineFeed) + 1 : bytes.length;
  return { journal, state: foldJournal(journal.records), sound, size: bytes.length };
}

async function sizeOf(path: string): Promise<number> {
  try {
    return (await stat(path)).size;
  } catch (error) {
    if (isMissing(error)) return 0;
    throw error;
  }
}

/** Cuts off a torn tail first, and whatever part of the new bytes was written when the write failed. */
async function appendAt(path: string, position: number, bytes: Buffer): Promise<void> {
  const file = await open(path, 'a');
  try {
    await file.truncate(position);
    await writeOrTakeBack(file, position, bytes);
    await file.datasync();
  } finally {
    await file.close();
  }
}

async function writeOrTakeBack(file: FileHandle, position: number, bytes: Buffer): Promise<void> {
  try {
    await file.writeFile(bytes);
  } catch (error) {
    await file.truncate(position);
    throw error;
  }
}

/** A process that was killed leaves its lock behind; nobody holds one this long. */
const staleAfterMs = 10_000;
const retryMs = 25;
const giveUpAfterMs = 15_000;

async function withLock<T>(path: string, work: () => Promise<T>): Promise<T> {
  const token = randomUUID();
  await takeLock(path, token);
  try {
    return await work();
  } finally {
    await releaseLock(path, token);
  }
}

/** A lock that was held for so long that it passed for stale may be somebody else's by now. */
async function releaseLock(path: string, token: string): Promise<void> {
  if ((await readIfThere(path)) === token) await rm(path, { force: true });
}

async function readIfThere(path: string): Promise<string | null> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}

async function takeLock(path: string, token: string): Promise<void> {
  const deadline = Date.now() + giveUpAfterMs;
  while (!(await tryLock(path, token))) {
    if (Date.now() > deadline) throw new JournalWriteFailed(`Another process keeps the journal locked: ${path}`);
    await removeIfStale(path);
    await delay(retryMs);
  }
}

async function tryLock(path: string, token: string): Promise<boolean> {
  try {
    await writeFile(path, token, { flag: 'wx' });
    return true;
  } catch (error) {
    if (isCode(error, 'EEXIST')) return false;
    // A full disk has room for the name, and not for what is in it.
    await releaseLock(path, '');
    throw new JournalWriteFailed(`The journal cannot be locked for writing: ${messageOf(error)}`, { cause: error });
  }
}

async function removeIfStale(path: string): Promise<void> {
  try {
    const { mtimeMs } = await stat(path);
    if (Date.now() - mtimeMs > staleAfterMs) await rm(path, { force: true });
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
}

function isMissing(error: unknown): boolean {
  return isCode(error, 'ENOENT');
}

function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
