import { localizable } from '../../engine/wording/localizable-text';
import { type Line, type LineFault, type LineReading, readLine } from './line';
import { RecordShape } from './record-shape';
import { isTextOpen, recordSpans } from './record-spans';

/** Lines with one record each, or with text that could not be read, and the problems found. */
interface MendedLines {
  readonly lines: readonly Line[];
  readonly faults: readonly LineFault[];
}

/** Longest record that is joined from several lines, in characters. */
const longestJoined = 64 * 1024 * 1024;

/**
 * Finds the records in lines that are not one record each, as crashes and careless writers leave them: a torn write before
 * a whole record, several records on one line, zero bytes, and texts with raw line breaks, which put one record on
 * several lines. Each line is parsed here once; `readLine` does not repeat it.
 */
export class LineMender {
  readonly #shape = new RecordShape();
  /** Lines of a record that ends inside a text, kept back until that text ends or another record begins. */
  #begun: Line[] = [];
  #begunLength = 0;

  take({ lines, faults }: MendedLines): MendedLines {
    const mended: Mended = { lines: [], faults: [...faults] };
    for (const line of lines) this.#takeLine(line, mended);
    return mended;
  }

  /** The lines that are kept back. */
  get begun(): readonly Line[] {
    return this.#begun;
  }

  /** The records up to the last line, which has no line break; null if the file ends in the middle of a record. */
  takeLast(line: Line): MendedLines | null {
    const begun = [...this.#begun];
    const mended = this.take({ lines: [line], faults: [] });
    if (this.#begun.length === 0 && mended.lines.at(-1)?.reading?.kind === 'record') return mended;
    this.#keepBack(begun);
    return null;
  }

  #takeLine(line: Line, mended: Mended): void {
    const reading = readLine(line);
    if (reading.kind === 'record' && !isEmpty(reading.record)) {
      this.#giveUp(mended);
      this.#shape.learn(reading.record);
      mended.lines.push({ ...line, reading });
    } else if (reading.kind === 'broken') this.#takeBroken(line, reading, mended);
    else if (this.#begun.length > 0) this.#goOn(line, mended);
    else mended.lines.push({ ...line, reading });
  }

  #takeBroken(line: Line, reading: LineReading, mended: Mended): void {
    const found = recordsOn(line, this.#shape);
    if (found !== null) {
      this.#giveUp(mended);
      append(mended, found);
    } else if (this.#begun.length > 0) this.#goOn(line, mended);
    else if (line.text.startsWith('{"') && isTextOpen(line.text)) this.#keepBack([line]);
    else mended.lines.push({ ...line, reading });
  }

  #keepBack(lines: readonly Line[]): void {
    this.#begun = [...lines];
    this.#begunLength = lines.reduce((sum, { text }) => sum + text.length, 0);
  }

  #goOn(line: Line, mended: Mended): void {
    this.#begun.push(line);
    this.#begunLength += line.text.length;
    if (isTextOpen(line.text, true)) {
      if (this.#begunLength > longestJoined) this.#giveUp(mended);
      return;
    }
    const joined = joinedRecord(this.#begun);
    if (joined === null) this.#giveUp(mended);
    else {
      this.#begun = [];
      append(mended, joined);
    }
  }

  /** The lines that were kept back do not form a record, so each of them is unreadable. */
  #giveUp({ lines }: Mended): void {
    for (const line of this.#begun) lines.push(line);
    this.#begun = [];
  }
}

interface Mended {
  readonly lines: Line[];
  readonly faults: LineFault[];
}

function append(mended: Mended, { lines, faults }: MendedLines): void {
  mended.lines.push(...lines);
  mended.faults.push(...faults);
}

function isEmpty(record: object): boolean {
  for (const _field in record) return false;
  return true;
}

/** The records of a line that has more or less than one on it; null if it has none. */
function recordsOn(line: Line, shape: RecordShape): MendedLines | null {
  const zeroBytes = line.text.split('\0').length - 1;
  const spans = recordSpans(line.text, shape);
  const records = spans.filter(({ record }) => record !== null).length;
  if (records + zeroBytes === 0) return null;
  const lines = spans.map(({ text, record }): Line => {
    const reading: LineReading = record === null ? { kind: 'broken', message: cutOff } : { kind: 'record', record };
    return { number: line.number, text, reading };
  });
  const messages = [
    ...(zeroBytes === 0 ? [] : [localizable('This line has {0} zero bytes; what is around them was read', zeroBytes)]),
    ...(records < 2 ? [] : [localizable('{0} records are on this line; all of them were read', records)]),
  ];
  return { lines, faults: messages.map((message) => ({ line: line.number, message })) };
}

const cutOff = localizable('A record was cut off in this line; its remains were left out');

/** Several lines as one record, if its texts have raw line breaks and nothing else is wrong; null if not. */
function joinedRecord(lines: readonly Line[]): MendedLines | null {
  const text = lines
    .map((line) => line.text)
    .join('\\n')
    .replaceAll('\t', '\\t');
  const line: Line = { number: lines[0]?.number ?? 0, text };
  const reading = readLine(line);
  if (reading.kind !== 'record') return null;
  const message = localizable(
    'A text in this record has raw line breaks; {0} lines were read as one record',
    lines.length,
  );
  return { lines: [{ ...line, reading }], faults: [{ line: line.number, message }] };
}
