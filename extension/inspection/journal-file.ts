import { statSync } from 'node:fs';
import { mkdir, open, readFile, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { costOfOne, type LongWork } from '../engine/conversation/long-work';
import {
  type DecodedLine,
  decodeLine,
  encodedRecords,
  type ReadJournal,
  readingJournal,
} from '../engine/journal/journal';
import type { Journal } from '../engine/journal/journal-access';
import { emptyJournalState, foldJournal, type JournalState } from '../engine/journal/journal-state';
import type { JournalRecord, SessionIdentity } from '../engine/journal/records';
import { LocalizableError, type LocalizableText, localizable, wordingOf } from '../engine/wording/localizable-text';
import { inSlices } from '../platform/files/in-slices';
import { appendOrTakeBack, LockNotTaken, withLock } from '../platform/files/locked-append';
import { privateFile, privateFolder } from '../platform/files/private-modes';
import { sha256Of } from '../platform/files/sha256';
import { shortCalls } from '../platform/files/short-calls';
import { orIfMissing } from '../platform/files/with-file';

export { headerRecord } from '../engine/journal/journal-access';

/** The journal must not be written; the message says why. Its content has not changed. */
export class JournalReadOnly extends LocalizableError {
  override name = 'JournalReadOnly';
}

/** A record could not be written; the journal is as it was before. */
export class JournalWriteFailed extends LocalizableError {
  override name = 'JournalWriteFailed';
}

interface Loaded {
  readonly journal: ReadJournal;
  readonly state: JournalState;
  /** Bytes of the intact part at the start of the file, and of the whole file. */
  readonly sound: number;
  /** Stray bytes without a line break at the end must not absorb the next record. */
  readonly endsLine: boolean;
  readonly size: number;
  readonly stamp: string;
}

const nothing: Loaded = {
  journal: { records: [], issues: [], readOnlyBecause: null, intactLines: 0 },
  state: emptyJournalState,
  sound: 0,
  endsLine: true,
  size: 0,
  stamp: '',
};

/** The journal of a session that is inspected. */
export interface SessionJournal extends Journal {
  readonly path: string;
  /** In order. */
  readonly records: readonly JournalRecord[];
  readonly issues: readonly { file: string; line: number; message: LocalizableText }[];
}

/** The journal of one conversation on disk. Several processes may have it open; each reads what the others appended. */
export class JournalFile implements SessionJournal {
  #loaded: Loaded = nothing;
  /** The decoded lines of the file, so that no line is decoded twice and unchanged records stay the same objects. */
  #decoded: Map<string, DecodedLine> = new Map();
  /** Reads run one after the other, so that the latest one counts. */
  #refreshing: Promise<unknown> = Promise.resolve();

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

  get records(): readonly JournalRecord[] {
    return this.#loaded.journal.records;
  }

  get issues(): readonly { file: string; line: number; message: LocalizableText }[] {
    return this.#loaded.journal.issues.map((issue) => ({ file: this.path, ...issue }));
  }

  get readOnlyBecause(): LocalizableText | null {
    return this.#loaded.journal.readOnlyBecause;
  }

  /** Reads the file again if it has changed; true if it has. */
  refresh(): Promise<boolean> {
    const next = this.#refreshing.then(() => this.#refresh());
    // The caller gets a failure; the next caller reads again.
    this.#refreshing = next.catch(() => undefined);
    return next;
  }

  async #refresh(): Promise<boolean> {
    const stamp = await stampOf(this.path);
    if (stamp === this.#loaded.stamp) return false;
    this.#loaded = stamp === '' ? nothing : await inSlices(this.#load(await readFile(this.path), stamp));
    return true;
  }

  *#load(bytes: Buffer, stamp: string): LongWork<Loaded> {
    const before = this.#decoded;
    const decoded: typeof before = new Map();
    const lines = linesOf(bytes);
    const texts = lines.map((line) => line.toString('utf8'));
    const journal = yield* readingJournal(texts, this.session, (line) => {
      const known = before.get(line) ?? decodeLine(line, sha256Of);
      decoded.set(line, known);
      return known;
    });
    this.#decoded = decoded;
    const sound = lines.slice(0, journal.intactLines).reduce((total, line) => total + line.length, 0);
    const endsLine = sound === 0 || bytes[sound - 1] === lineFeed;
    return { journal, state: foldJournal(journal.records), sound, endsLine, size: bytes.length, stamp };
  }

  /**
   * Appends the records that `draft` returns for the newest state, all of them or none. `draft` is called while no
   * other process can write, and may throw to leave the journal unchanged.
   */
  async append(draft: (state: JournalState) => readonly JournalRecord[]): Promise<void> {
    await mkdir(dirname(this.path), { recursive: true, mode: privateFolder });
    try {
      await withLock(`${this.path}.lock`, async (stillOurs) => {
        await this.refresh();
        if (this.readOnlyBecause !== null)
          throw new JournalReadOnly(localizable('{0}: {1}', this.path, this.readOnlyBecause));
        const records = draft(this.state);
        if (records.length > 0) await this.#write(records, stillOurs);
      });
    } catch (error) {
      if (!(error instanceof LockNotTaken)) throw error;
      throw new JournalWriteFailed(localizable('The journal cannot be written. {0}', error.wording), { cause: error });
    }
  }

  /** First cuts off an unfinished record of a killed process. After a failed write, cuts off the part that was written. */
  async #write(records: readonly JournalRecord[], stillOurs: () => Promise<boolean>): Promise<void> {
    try {
      const bytes = await inSlices(this.#encoded(records));
      const { sound, size, endsLine } = this.#loaded;
      await using file = await open(this.path, 'a', privateFile);
      const asRead = (await file.stat()).size === size && (await stillOurs());
      if (!asRead) throw new LocalizableError(localizable('another process wrote to it meanwhile'));
      if (sound < size) await file.truncate(sound);
      await appendOrTakeBack(file, sound, endsLine ? bytes : Buffer.concat([lineBreak, bytes]), true);
    } catch (error) {
      const wording = localizable('The journal {0} could not be written: {1}', this.path, wordingOf(error));
      throw new JournalWriteFailed(wording, { cause: error });
    }
    await this.refresh();
    if (this.state.lastSeq !== records.at(-1)?.seq) {
      throw new JournalWriteFailed(localizable('The journal {0} does not contain what was written to it.', this.path));
    }
  }

  /** The lines that are read back are compared with these, not decoded again. */
  *#encoded(records: readonly JournalRecord[]): LongWork<Buffer> {
    const lines: Buffer[] = [];
    let written = 0;
    for (const line of encodedRecords(records, this.state)) {
      const record = records[written++];
      if (record) this.#decoded.set(line, { kind: 'record', record });
      lines.push(Buffer.from(`${line}\n`));
      yield line.length + costOfOne;
    }
    return Buffer.concat(lines);
  }
}

const lineBreak = Buffer.from('\n');

const lineFeed = 0x0a;

/** Lines with their line breaks, so that their lengths add up to the file's length. */
function linesOf(bytes: Buffer): Buffer[] {
  const lines: Buffer[] = [];
  for (let start = 0; start < bytes.length; ) {
    const found = bytes.indexOf(lineFeed, start);
    const end = found === -1 ? bytes.length : found + 1;
    lines.push(bytes.subarray(start, end));
    start = end;
  }
  return lines;
}

/**
 * Changes whenever the content may have changed, even at the same size: a torn record can be as long as the record that replaced it. Empty:
 * no file.
 */
async function stampOf(path: string): Promise<string> {
  const found = await shortCalls.call(
    () => statSync(path, { bigint: true, throwIfNoEntry: false }) ?? null,
    () => orIfMissing(stat(path, { bigint: true }), null),
  );
  if (found === null || found.size === 0n) return '';
  const { size, ino, mtimeNs, ctimeNs } = found;
  return [size, ino, mtimeNs, ctimeNs].join(' ');
}
