import { atOnce } from '../../engine/conversation/long-work';
import {
  type DecodedLine,
  decodeLine,
  encodedRecords,
  type ReadJournal,
  readingJournal,
} from '../../engine/journal/journal';
import type { Journal } from '../../engine/journal/journal-access';
import { foldJournal, type JournalState } from '../../engine/journal/journal-state';
import type { JournalRecord, SessionIdentity } from '../../engine/journal/records';
import { type LocalizableText, localizable } from '../../engine/wording/localizable-text';
import { sha256Of } from '../../platform/files/sha256';
import { type SavedLines, startsWith } from './saved-journals';

/** A journal whose lines are stored elsewhere: the lines that were read, and those that are still to be saved. */
export class LineJournal implements Journal {
  readonly #lines: string[];
  /** Decoded lines, so that unchanged records stay the same objects. */
  readonly #decoded = new Map<string, DecodedLine>();
  readonly #isReadable: boolean;
  #read: ReadJournal;
  /** Number of lines as of `#read`. */
  #readLines = 0;
  #state: JournalState;
  #hasNew = false;

  /** `ownSession`: used for a new journal. A journal with records names its session itself. */
  constructor(
    { lines, isReadable }: SavedLines,
    private readonly ownSession: SessionIdentity,
  ) {
    this.#lines = [...lines];
    this.#isReadable = isReadable;
    this.#read = this.#readAll();
    this.#state = foldJournal(this.#read.records);
  }

  /** The thread may be a copy of the one that the journal was begun in. */
  get session(): SessionIdentity {
    return sessionIn(this.#lines) ?? this.ownSession;
  }

  get state(): JournalState {
    return this.#state;
  }

  /** The lines that were read, and those that were added since. */
  get lines(): readonly string[] {
    return this.#lines;
  }

  /** Why lines were left out. */
  get issues(): readonly LocalizableText[] {
    const issues = this.#read.issues.map(({ message }) => message);
    return this.#isReadable ? issues : [localizable('it is not a journal record')];
  }

  /** False if nothing may be appended to the lines that were read. Appended records are in memory only then. */
  get isSaved(): boolean {
    const { readOnlyBecause, intactLines } = this.#read;
    return this.#isReadable && readOnlyBecause === null && intactLines === this.#readLines;
  }

  /** Whether this journal or these lines begin with all of the other. */
  agreesWith(lines: readonly string[]): boolean {
    return startsWith(lines, this.#lines) || startsWith(this.#lines, lines);
  }

  /** Reads what others have added to the lines. */
  take(lines: readonly string[]): void {
    const added = lines.slice(this.#lines.length);
    if (added.length === 0) return;
    this.#lines.push(...added);
    this.#read = this.#readAll();
    this.#state = foldJournal(this.#read.records);
    this.#hasNew = true;
  }

  async refresh(): Promise<boolean> {
    const hasNew = this.#hasNew;
    this.#hasNew = false;
    return hasNew;
  }

  async append(draft: (state: JournalState) => readonly JournalRecord[]): Promise<void> {
    const records = draft(this.#state);
    if (this.isSaved) for (const line of this.#encoded(records)) this.#lines.push(line);
    this.#state = foldJournal(records, this.#state);
  }

  *#encoded(records: readonly JournalRecord[]): Generator<string> {
    let place = 0;
    for (const line of encodedRecords(records, this.#state)) {
      const record = records[place++];
      if (record) this.#decoded.set(line, { kind: 'record', record });
      yield line;
    }
  }

  #readAll(): ReadJournal {
    const lines = this.#lines.map((line) => `${line}\n`);
    this.#readLines = lines.length;
    return atOnce(readingJournal(lines, this.session, (line) => this.#decode(line)));
  }

  #decode(line: string): DecodedLine {
    const known = this.#decoded.get(line) ?? decodeLine(line, sha256Of);
    this.#decoded.set(line, known);
    return known;
  }
}

function sessionIn([first]: readonly string[]): SessionIdentity | null {
  const decoded = first === undefined ? null : decodeLine(first, sha256Of);
  return decoded?.kind === 'record' && decoded.record.kind === 'header' ? decoded.record.session : null;
}
