import { statSync } from 'node:fs';
import { type FileHandle, stat } from 'node:fs/promises';
import type { LongWork } from '../engine/conversation/long-work';
import { localizable } from '../engine/wording/localizable-text';
import { chunksFrom } from '../platform/files/chunks';
import { FilePrint } from '../platform/files/file-print';
import { shortCalls } from '../platform/files/short-calls';
import { withFile } from '../platform/files/with-file';
import { type Line, type LineFault, readLine } from '../platform/lines/line';
import { LineAssembler } from '../platform/lines/line-assembler';
import { LineMender } from '../platform/lines/line-mender';
import type { LineFormat, SessionBuilder } from './adapter';
import type { Appended, ReadOn, SessionReading } from './reading';
import { IssueList } from './records/issues';
import type { ParsedSession, SessionIssue } from './session';

/** How many lines an adapter may look at to tell whether a file is its own. */
const headLines = 50;
/** If a file begins with zero bytes, at most this much is read until it turns out to be a session. */
const mostBytesWithZeros = 16 * 1024 * 1024;
const closingBrace = 0x7d;
export type ReadingStart =
  | { readonly kind: 'reading'; readonly reading: LineReading }
  | { readonly kind: 'empty' }
  | { readonly kind: 'binary' }
  | { readonly kind: 'foreign' };

/** One reading of a file of JSON lines from its first byte: the result so far, and the position at which to continue. */
export class LineReading implements SessionReading {
  readonly #builder: SessionBuilder;
  readonly #faults: IssueList;
  readonly #assembler: LineAssembler;
  readonly #mender: LineMender;
  readonly #print: FilePrint;
  /**
   * Number of a last line that was accepted without its newline, because it is whole JSON. Nothing but white space may
   * follow on that line.
   */
  #acceptedUnfinished: number | null = null;
  /** Built on demand, and again only after more was read. */
  #parsed: ParsedSession | null = null;

  readonly #file: string;
  #modified: number;

  private constructor(file: string, builder: SessionBuilder, beginning: Beginning, modified: number) {
    this.#file = file;
    this.#modified = modified;
    this.#builder = builder;
    this.#faults = beginning.faults;
    this.#assembler = beginning.assembler;
    this.#mender = beginning.mender;
    this.#print = beginning.print;
    for (const line of beginning.lines) this.#accept(line);
    this.#acceptWholeLastLine();
  }

  /** @param key one of several conversations in the file; null for the session itself */
  static async start(
    file: string,
    handle: FileHandle,
    adapters: readonly LineFormat[],
    key: string | null = null,
  ): Promise<ReadingStart> {
    const { ino, mtimeMs } = await handle.stat();
    const beginning = new Beginning(file, ino);
    for await (const chunk of chunksFrom(handle, 0)) {
      if (beginning.print.offset === 0 && isBinary(chunk)) return { kind: 'binary' };
      beginning.take(chunk);
      if (beginning.lines.length >= headLines) break;
      if (beginning.hasZeros && beginning.print.offset > mostBytesWithZeros) break;
    }
    const head = beginning.head();
    if (head.every((text) => text.trim() === '')) return { kind: 'empty' };
    const adapter = adapters.find((candidate) => candidate.recognises(head));
    if (adapter === undefined) return { kind: beginning.hasZeros ? 'binary' : 'foreign' };
    const builder = key === null ? adapter.createBuilder(file) : adapter.createPartBuilder?.(file, key);
    if (builder === undefined) return { kind: 'foreign' };
    const reading = new LineReading(file, builder, beginning, mtimeMs);
    await reading.#readOn(handle);
    return { kind: 'reading', reading };
  }

  get parsed(): ParsedSession {
    this.#parsed ??= this.#parse();
    return this.#parsed;
  }

  #parse(): ParsedSession {
    const parsed = this.#builder.session();
    const issues = [...parsed.issues, ...this.#faults.list(this.#begun())].sort((one, other) => one.line - other.line);
    return { ...parsed, issues };
  }

  /** Lines of a record that is incomplete at the end of the file. */
  #begun(): LineFault[] {
    return this.#mender.begun.flatMap((line) => {
      const reading = readLine(line);
      return reading.kind === 'broken' ? [{ line: line.number, message: reading.message }] : [];
    });
  }

  /** The last line, if the file ends in the middle of it. */
  get tornLine(): number | null {
    const torn = this.#acceptedUnfinished === null && this.#assembler.lastPendingByte !== null;
    return torn ? this.#assembler.lineNumber : null;
  }

  get watched(): readonly string[] {
    return [this.#file];
  }

  get modified(): number {
    return this.#modified;
  }

  /** Bytes read so far. Within one reading the number only increases. */
  get version(): number {
    return this.#print.offset;
  }

  async readOn(): Promise<ReadOn> {
    if (await this.#isAsRead()) return { kind: 'unchanged' };
    return await withFile<ReadOn>(this.#file, async (handle, stats) => {
      this.#modified = stats.mtimeMs;
      const continuation = await this.#print.matches(handle, stats);
      if (continuation !== 'continued') return { kind: continuation };
      const before = this.version;
      const kind = await this.#readOn(handle, stats.size);
      return { kind: kind === 'read' && this.version === before ? 'unchanged' : kind };
    });
  }

  /** Compares only size and time, so that checking an unchanged file costs next to nothing. */
  async #isAsRead(): Promise<boolean> {
    // If the file cannot be checked, opening it next reports why.
    const stats = await shortCalls.call(
      () => statSync(this.#file),
      () => stat(this.#file).catch(() => null),
    );
    return stats !== null && stats.mtimeMs === this.#modified && this.#print.isWhole(stats);
  }

  *takeIn({ bytes, records, before, after }: Appended): LongWork<boolean> {
    const isNext = this.#print.isWhole(before) && after.size === before.size + bytes.length;
    if (!isNext || this.#acceptedUnfinished !== null || !this.#assembler.isAtLineStart) return false;
    if (this.#builder.acceptWritten === undefined) return false;
    this.#parsed = null;
    this.#print.take(bytes);
    const first = this.#assembler.lineNumber;
    this.#assembler.pass(records.length);
    const cost = bytes.length / records.length;
    for (const [index, record] of records.entries()) {
      this.#builder.acceptWritten(record, first + index);
      yield cost;
    }
    this.#modified = after.mtimeMs;
    return true;
  }

  /**
   * Reads what was appended. `replaced`: the last line, which was accepted as whole, has grown, so what was read is
   * outdated.
   */
  async #readOn(handle: FileHandle, end?: number): Promise<'read' | 'replaced'> {
    for await (const chunk of chunksFrom(handle, this.version, end)) {
      if (this.#acceptedUnfinished !== null && !onlySpaceBeforeNewline(chunk)) return 'replaced';
      this.#take(chunk);
    }
    this.#acceptWholeLastLine();
    return 'read';
  }

  #take(chunk: Buffer): void {
    this.#parsed = null;
    this.#print.take(chunk);
    const { lines, faults } = this.#assembler.push(chunk);
    const isNew = (line: Line): boolean => line.number !== this.#acceptedUnfinished;
    const mended = this.#mender.take({ lines: lines.filter(isNew), faults });
    this.#note(mended.faults);
    for (const line of mended.lines) this.#accept(line);
    if (lines.length > 0) this.#acceptedUnfinished = null;
  }

  #note(faults: readonly LineFault[]): void {
    for (const fault of faults) this.#faults.add(fault.line, fault.message);
  }

  /** A line that a format cannot process must not hide the others. */
  #accept(line: Line): void {
    try {
      this.#builder.accept(line);
    } catch (error) {
      const reason = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
      this.#faults.add(line.number, localizable('This line could not be read and was left out ({0})', reason));
    }
  }

  /** A JSON object is complete only at its last brace, so no prefix of it is valid JSON. */
  #acceptWholeLastLine(): void {
    if (this.#acceptedUnfinished !== null || this.#assembler.lastPendingByte !== closingBrace) return;
    const line: Line = { number: this.#assembler.lineNumber, text: this.#assembler.pendingText };
    const mended = this.#mender.takeLast(line);
    if (mended === null && this.#builder.isEnd?.(line) !== true) return;
    this.#note(mended?.faults ?? []);
    for (const last of mended?.lines ?? [line]) this.#accept(last);
    this.#acceptedUnfinished = line.number;
  }
}

export function tornLineIssue(file: string, line: number): SessionIssue {
  return { file, line, message: localizable('The file ends in the middle of this line; it was left out') };
}

/** The first lines of a file, kept until it is known whose format they are. */
class Beginning {
  readonly assembler = new LineAssembler();
  readonly mender = new LineMender();
  readonly print: FilePrint;
  readonly faults: IssueList;
  readonly lines: Line[] = [];
  hasZeros = false;

  constructor(file: string, inode: number) {
    this.print = new FilePrint(inode);
    this.faults = new IssueList(file);
  }

  take(chunk: Buffer): void {
    this.print.take(chunk);
    this.hasZeros ||= chunk.includes(0);
    const { lines, faults } = this.mender.take(this.assembler.push(chunk));
    for (const fault of faults) this.faults.add(fault.line, fault.message);
    for (const line of lines) this.lines.push(line);
  }

  head(): string[] {
    const whole = this.lines.slice(0, headLines).map((line) => line.text);
    return whole.length < headLines && this.assembler.lastPendingByte !== null
      ? [...whole, this.assembler.pendingText]
      : whole;
  }
}

function onlySpaceBeforeNewline(chunk: Buffer): boolean {
  const end = chunk.indexOf(0x0a);
  return (
    chunk
      .subarray(0, end < 0 ? chunk.length : end)
      .toString('latin1')
      .trim() === ''
  );
}

/** Maximum share of isolated zero bytes in a text; UTF-16 has one in every second place. */
const mostLoneZeros = 0.01;

/** Text has zero bytes only in holes that a power loss left. A picture, an archive or UTF-16 has them throughout. */
function isBinary(chunk: Buffer): boolean {
  let lone = 0;
  for (let at = chunk.indexOf(0); at >= 0; at = chunk.indexOf(0, at + 1)) {
    if (chunk[at - 1] !== 0 && chunk[at + 1] !== 0) lone += 1;
  }
  return lone > chunk.length * mostLoneZeros;
}
