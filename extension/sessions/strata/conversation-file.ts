import { closeSync, constants, fstatSync, openSync } from 'node:fs';
import { type FileHandle, mkdir, open } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { LongWork } from '../../engine/conversation/long-work';
import { LocalizableError, localizable, wordingOf } from '../../engine/wording/localizable-text';
import { inSlices } from '../../platform/files/in-slices';
import { LaterSync } from '../../platform/files/later-sync';
import { appendedHere, appendOrTakeBack, withFreeLock, withLock } from '../../platform/files/locked-append';
import { privateFile, privateFolder } from '../../platform/files/private-modes';
import { shortCalls } from '../../platform/files/short-calls';
import { systemErrorCode } from '../../platform/files/with-file';
import { SessionReader } from '../reader';
import type { Appended } from '../reading';
import type { Session } from '../session';
import { SessionGone } from '../session-gone';
import { strata } from './adapter';
import { type ConversationRecord, conversationVersion, type HeaderRecord } from './records';

/** A message could not be stored; the conversation on disk is unchanged. */
export class ConversationNotWritten extends LocalizableError {
  override name = 'ConversationNotWritten';
}

/** The file of a conversation cannot be read as one; the message names it. */
export class ConversationNotRead extends LocalizableError {
  override name = 'ConversationNotRead';
}

/** One of Strata's own conversations on disk. Only ever appended to; several windows may do so. */
export class ConversationFile {
  #later: LaterSync | null = null;
  /** Size of the file after the newest append. */
  #appendedTo = 0;
  /** Number of appends in progress. */
  #appending = 0;

  private constructor(
    readonly path: string,
    private readonly reader: SessionReader,
  ) {}

  static async create(path: string, header: Omit<HeaderRecord, 'type' | 'version'>): Promise<ConversationFile> {
    const first: HeaderRecord = { type: 'strata-conversation', version: conversationVersion, ...header };
    await writeRecords(path, [first], 'create', true);
    return await ConversationFile.open(path);
  }

  /** Opens the file; creates it if there is none. */
  static async openOrCreate(path: string, header: Omit<HeaderRecord, 'type' | 'version'>): Promise<ConversationFile> {
    try {
      return await ConversationFile.create(path, header);
    } catch (error) {
      const isThere = error instanceof ConversationNotWritten && systemErrorCode(error.cause) === 'EEXIST';
      if (!isThere) throw error;
      return await ConversationFile.open(path);
    }
  }

  /** Throws `SessionGone` if there is no such file, and `ConversationNotRead` if it is not a conversation. */
  static async open(path: string): Promise<ConversationFile> {
    const outcome = await SessionReader.open(path, { adapter: strata });
    if (outcome.kind === 'missing') throw new SessionGone(outcome.message);
    if (outcome.kind !== 'reading') throw new ConversationNotRead(outcome.message);
    return new ConversationFile(path, outcome.reader);
  }

  /** As it is on disk, including what other windows wrote. Throws `SessionGone` if the file is gone. */
  session(): Promise<Session> {
    return this.reader.session();
  }

  /**
   * From now on, `append` waits only until the system has the records, not until the disk does: if the process is killed, nothing is lost.
   * For senders that have the messages themselves and send them again.
   */
  syncLater(onFailure: (error: unknown) => void): this {
    this.#later = new LaterSync(this.path, onFailure);
    return this;
  }

  /**
   * The records that no other process wrote meanwhile: an agent may bring an answer to one while the other writes it.
   */
  async #missing(written: Written, size: number): Promise<Written> {
    if (size === this.reader.version) return written;
    // The write, or the next read, reports an unreadable file.
    const session = await this.reader.session().catch(() => null);
    const there = new Set(session?.conversation.entries.map(({ id }) => id));
    const missing = written.records.filter((record) => !('entry' in record) || !there.has(record.entry.id));
    return missing.length === written.records.length ? written : await inSlices(writing(missing));
  }

  #known(): Known {
    const lineEndsAt = this.#appendedTo;
    return {
      missing: (written, size) => this.#missing(written, size),
      lineEndsAt,
      isAsRead: (size) => this.#appending === 1 && size === lineEndsAt && size === this.reader.version,
    };
  }

  /** All of the records or none of them. Resolves to the session with them if it is known without reading. */
  async append(records: readonly ConversationRecord[]): Promise<Session | null> {
    // A piece that is lost with the machine's power comes again with the whole reply.
    const isDurable = this.#later === null && records.some((record) => record.type !== 'piece');
    this.#appending += 1;
    try {
      const appended = await writeRecords(this.path, records, 'append', isDurable, this.#known());
      this.#appendedTo = appended.after.size;
      this.#later?.written();
      return await this.reader.appended(appended);
    } finally {
      this.#appending -= 1;
    }
  }
}

/**
 * Opens either a new file or an existing one, never both: records appended to a deleted file would lack their
 * beginning.
 */
const flags = {
  create: constants.O_RDWR | constants.O_APPEND | constants.O_CREAT | constants.O_EXCL,
  append: constants.O_RDWR | constants.O_APPEND,
};

type StoredRecord = HeaderRecord | ConversationRecord;

interface Written {
  readonly records: readonly StoredRecord[];
  readonly lines: Buffer;
}

/** The known state of the file that is written to. */
interface Known {
  /** The records to append to a file of this size. */
  missing(written: Written, size: number): Promise<Written>;
  /** A file of this size ends with a line break. */
  readonly lineEndsAt: number;
  /** Others wrote nothing to a file of this size, and no other append is in progress. */
  isAsRead(size: number): boolean;
}

const newFile: Known = { missing: async (written) => written, lineEndsAt: 0, isAsRead: () => false };

async function writeRecords(
  path: string,
  records: readonly StoredRecord[],
  how: keyof typeof flags,
  isDurable: boolean,
  known = newFile,
): Promise<Appended> {
  const written = await inSlices(writing(records));
  try {
    if (how === 'create') await mkdir(dirname(path), { recursive: true, mode: privateFolder });
    const inPool = () => writeLocked(path, written, how, isDurable, known);
    if (how === 'create' || isDurable) return await inPool();
    return await shortCalls.call(() => writtenHere(path, written, known), inPool);
  } catch (error) {
    const wording = localizable('The conversation {0} could not be written: {1}', path, wordingOf(error));
    throw new ConversationNotWritten(wording, { cause: error });
  }
}

/** In bytes. A longer write takes more time than a change of thread. */
const shortWrite = 64 * 1024;

/** Appends on this thread. Undefined if nothing was appended. */
function writtenHere(path: string, { records, lines }: Written, { isAsRead }: Known): Appended | undefined {
  if (lines.length > shortWrite) return undefined;
  return withFreeLock(`${path}.lock`, () => {
    const file = openSync(path, flags.append);
    try {
      const before = fstatSync(file);
      const isAppended = isAsRead(before.size) && appendedHere(file, before.size, lines);
      return isAppended ? { bytes: lines, records, before, after: fstatSync(file) } : undefined;
    } finally {
      closeSync(file);
    }
  });
}

/** Opens an existing file while the lock is taken. */
async function writeLocked(
  path: string,
  written: Written,
  how: keyof typeof flags,
  isDurable: boolean,
  known: Known,
): Promise<Appended> {
  const openNow = () => open(path, flags[how], privateFile);
  const opening = how === 'append' ? openNow() : null;
  // The lock may fail first.
  opening?.catch(() => undefined);
  let isLocked = false;
  try {
    return await withLock(`${path}.lock`, async () => {
      isLocked = true;
      const file = opening === null ? await openNow() : await unlessDeleted(await opening, openNow);
      try {
        return await writeLines(file, written, known, isDurable);
      } finally {
        await file.close();
      }
    });
  } finally {
    if (!isLocked) opening?.then((file) => file.close()).catch(() => undefined);
  }
}

/** Before the lock was taken, the file may have been deleted, and another one begun in its place. */
async function unlessDeleted(file: FileHandle, openAgain: () => Promise<FileHandle>): Promise<FileHandle> {
  if (fstatSync(file.fd).nlink > 0) return file;
  await file.close();
  return await openAgain();
}

function* writing(records: readonly StoredRecord[]): LongWork<Written> {
  const lines: Buffer[] = [];
  for (const record of records) {
    const line = Buffer.from(`${JSON.stringify(record)}\n`);
    lines.push(line);
    yield line.length;
  }
  return { records, lines: Buffer.concat(lines) };
}

async function writeLines(
  file: FileHandle,
  written: Written,
  { missing, lineEndsAt }: Known,
  isDurable: boolean,
): Promise<Appended> {
  // The numbers of an open file are in memory.
  const before = fstatSync(file.fd);
  const { size } = before;
  const { records, lines } = await missing(written, size);
  const isTorn = size !== lineEndsAt && size > 0 && !(await endsWithLineBreak(file, size));
  const bytes = isTorn ? Buffer.concat([lineBreak, lines]) : lines;
  await appendOrTakeBack(file, size, bytes, isDurable);
  return { bytes, records, before, after: fstatSync(file.fd) };
}

const lineBreak = Buffer.from('\n');

/** An incomplete last line of a killed process must not corrupt the next record. */
async function endsWithLineBreak(file: FileHandle, size: number): Promise<boolean> {
  const { buffer } = await file.read(Buffer.alloc(1), 0, 1, size - 1);
  return buffer.equals(lineBreak);
}
