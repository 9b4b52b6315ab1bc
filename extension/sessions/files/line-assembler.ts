import { isUtf8 } from 'node:buffer';
import { amount, type LocalizableText, localizable } from '../../engine/wording/localizable-text';
import type { Line } from '../records/line';

const newline = 0x0a;
/** Everything up to here is white space or a control character in ASCII. */
const space = 0x20;
const byteOrderMark = Buffer.from([0xef, 0xbb, 0xbf]);

/** What came out of some bytes: lines that are whole, and complaints about lines that are not as they should be. */
export interface AssembledLines {
  readonly lines: readonly Line[];
  readonly faults: readonly LineFault[];
}

export interface LineFault {
  readonly line: number;
  readonly message: LocalizableText;
}

/**
 * Cuts bytes into lines wherever the chunks happen to break. Lines are found by byte, so a character split across two
 * chunks is decoded whole; each byte is copied at most once, so that one line of many chunks stays linear.
 */
export class LineAssembler {
  #lineNumber = 1;
  #pieces: Buffer[] = [];
  #pendingBytes = 0;
  #tooLong = false;
  #lastPendingByte: number | null = null;

  constructor(private readonly longestLine = 256 * 1024 * 1024) {}

  /** 1-based number of the line that is not whole yet, or of the next one. */
  get lineNumber(): number {
    return this.#lineNumber;
  }

  /** The bytes after the last newline, decoded. */
  get pendingText(): string {
    return this.#tooLong ? '' : this.#decode(this.#takePending()).text;
  }

  /** The last byte that is no white space after the last newline; null where only white space follows it. */
  get lastPendingByte(): number | null {
    return this.#lastPendingByte;
  }

  /** Nothing follows the last newline, not even white space. */
  get isAtLineStart(): boolean {
    return this.#pendingBytes === 0;
  }

  /** Counts whole lines that need not be read. */
  pass(lines: number): void {
    this.#lineNumber += lines;
  }

  push(chunk: Buffer): AssembledLines {
    const lines: Line[] = [];
    const faults: LineFault[] = [];
    let start = 0;
    for (let end = chunk.indexOf(newline); end >= 0; end = chunk.indexOf(newline, start)) {
      this.#keep(chunk.subarray(start, end));
      this.#finishLine(lines, faults);
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

  #finishLine(lines: Line[], faults: LineFault[]): void {
    const number = this.#lineNumber;
    if (this.#tooLong) {
      faults.push({
        line: number,
        message: localizable('This line is longer than {0} bytes and was left out', amount(this.longestLine)),
      });
    } else {
      const { text, damaged } = this.#decode(this.#takePending());
      if (damaged)
        faults.push({
          line: number,
          message: localizable('This line is not valid UTF-8; what could not be read is shown as �'),
        });
      lines.push({ number, text });
    }
    this.#pieces = [];
    this.#pendingBytes = 0;
    this.#tooLong = false;
    this.#lastPendingByte = null;
    this.#lineNumber += 1;
  }

  #takePending(): Buffer {
    const [only] = this.#pieces;
    const whole = this.#pieces.length === 1 && only !== undefined ? only : Buffer.concat(this.#pieces);
    this.#pieces = [whole];
    return whole;
  }

  #decode(bytes: Buffer): { text: string; damaged: boolean } {
    const marked = this.#lineNumber === 1 && bytes.subarray(0, byteOrderMark.length).equals(byteOrderMark);
    const text = bytes.toString('utf8', marked ? byteOrderMark.length : 0);
    return { text: text.endsWith('\r') ? text.slice(0, -1) : text, damaged: !isUtf8(bytes) };
  }
}

function lastVisibleByte(bytes: Buffer): number | null {
  for (let index = bytes.length - 1; index >= 0; index -= 1) {
    const byte = bytes[index];
    if (byte !== undefined && byte > space) return byte;
  }
  return null;
}
