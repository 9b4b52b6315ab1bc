import { isUtf8 } from 'node:buffer';
import { amount, localizable } from '../../engine/wording/localizable-text';
import type { Line, LineFault } from './line';

const newline = 0x0a;
/** Everything up to here is white space or a control character in ASCII. */
const space = 0x20;
const byteOrderMark = Buffer.from([0xef, 0xbb, 0xbf]);

/** The result of some bytes: complete lines, and faults of malformed ones. */
interface AssembledLines {
  readonly lines: readonly Line[];
  readonly faults: readonly LineFault[];
}

/**
 * Cuts bytes into lines whatever the chunk boundaries. Lines are found by byte, so a character split across two chunks
 * is decoded whole; each byte is copied at most once, so that one line of many chunks stays linear.
 */
export class LineAssembler {
  #lineNumber = 1;
  #pieces: Buffer[] = [];
  #pendingBytes = 0;
  #tooLong = false;
  #lastPendingByte: number | null = null;

  constructor(private readonly longestLine = 256 * 1024 * 1024) {}

  /** 1-based number of the incomplete line, or of the next one. */
  get lineNumber(): number {
    return this.#lineNumber;
  }

  /** The bytes after the last newline, decoded. */
  get pendingText(): string {
    if (this.#tooLong) return '';
    const pending = this.#takePending();
    return this.#decode(pending, 0, pending.length);
  }

  /** The last byte after the last newline that is not white space; null if only white space follows it. */
  get lastPendingByte(): number | null {
    return this.#lastPendingByte;
  }

  /** Nothing follows the last newline, not even white space. */
  get isAtLineStart(): boolean {
    return this.#pendingBytes === 0;
  }

  /** Counts whole lines that are skipped. */
  pass(lines: number): void {
    this.#lineNumber += lines;
  }

  push(chunk: Buffer): AssembledLines {
    const lines: Line[] = [];
    const faults: LineFault[] = [];
    let start = 0;
    const begunEnd = this.#pendingBytes > 0 ? chunk.indexOf(newline) : -1;
    if (begunEnd >= 0) {
      this.#keep(chunk.subarray(0, begunEnd));
      this.#finishBegunLine(lines, faults);
      start = begunEnd + 1;
    }
    // Checked all at once, because most lines are short, and in most files all lines are valid.
    const allSound = isUtf8(chunk.subarray(start, Math.max(start, chunk.lastIndexOf(newline))));
    for (let end = chunk.indexOf(newline, start); end >= 0; end = chunk.indexOf(newline, start)) {
      if (end - start > this.longestLine) faults.push(this.#tooLongFault);
      else this.#addLine(chunk, start, end, allSound, lines, faults);
      this.#lineNumber += 1;
      start = end + 1;
    }
    // Copied, because the reader fills the same buffer again.
    if (start < chunk.length) this.#keep(Buffer.from(chunk.subarray(start)));
    return { lines, faults };
  }

  #keep(bytes: Buffer): void {
    this.#pendingBytes += bytes.length;
    this.#lastPendingByte = lastVisibleByte(bytes) ?? this.#lastPendingByte;
    if (this.#pendingBytes > this.longestLine) {
      this.#tooLong = true;
      this.#pieces = [];
    }
    if (!this.#tooLong && bytes.length > 0) this.#pieces.push(bytes);
  }

  /** The line whose beginning was in earlier chunks. */
  #finishBegunLine(lines: Line[], faults: LineFault[]): void {
    if (this.#tooLong) faults.push(this.#tooLongFault);
    else {
      const whole = this.#takePending();
      this.#addLine(whole, 0, whole.length, false, lines, faults);
    }
    this.#pieces = [];
    this.#pendingBytes = 0;
    this.#tooLong = false;
    this.#lastPendingByte = null;
    this.#lineNumber += 1;
  }

  #addLine(bytes: Buffer, start: number, end: number, isSound: boolean, lines: Line[], faults: LineFault[]): void {
    const number = this.#lineNumber;
    if (!isSound && !isUtf8(bytes.subarray(start, end)))
      faults.push({
        line: number,
        message: localizable('This line is not valid UTF-8; what could not be read is shown as �'),
      });
    lines.push({ number, text: this.#decode(bytes, start, end) });
  }

  get #tooLongFault(): LineFault {
    return {
      line: this.#lineNumber,
      message: localizable('This line is longer than {0} bytes and was left out', amount(this.longestLine)),
    };
  }

  #takePending(): Buffer {
    const [only] = this.#pieces;
    const whole = this.#pieces.length === 1 && only !== undefined ? only : Buffer.concat(this.#pieces);
    this.#pieces = [whole];
    return whole;
  }

  #decode(bytes: Buffer, start: number, end: number): string {
    const hasMark = this.#lineNumber === 1 && bytes.subarray(start, end).indexOf(byteOrderMark) === 0;
    const text = bytes.toString('utf8', hasMark ? start + byteOrderMark.length : start, end);
    return text.endsWith('\r') ? text.slice(0, -1) : text;
  }
}

function lastVisibleByte(bytes: Buffer): number | null {
  for (let index = bytes.length - 1; index >= 0; index -= 1) {
    const byte = bytes[index];
    if (byte !== undefined && byte > space) return byte;
  }
  return null;
}
