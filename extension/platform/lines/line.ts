import { type LocalizableText, localizable } from '../../engine/wording/localizable-text';
import { isRecord, type JsonRecord } from '../json/schemas';

/** One line of an append-only session file. */
export interface Line {
  /** 1-based. */
  readonly number: number;
  readonly text: string;
  /** The parsed text, if it is known already. */
  readonly reading?: LineReading;
}

/** Something about a line that a person should know. */
export interface LineFault {
  readonly line: number;
  readonly message: LocalizableText;
}

export type LineReading =
  | { readonly kind: 'record'; readonly record: JsonRecord }
  /** Only white space; JSON lines allow it, and some tools leave such lines. */
  | { readonly kind: 'blank' }
  /** Valid JSON but not an object; no agent writes such a line. */
  | { readonly kind: 'no-object'; readonly message: LocalizableText }
  | { readonly kind: 'broken'; readonly message: LocalizableText };

export function readLine(line: Line): LineReading {
  if (line.reading !== undefined) return line.reading;
  if (line.text.trim() === '') return { kind: 'blank' };
  let value: unknown;
  try {
    value = JSON.parse(line.text);
  } catch (error) {
    return {
      kind: 'broken',
      message: localizable('This line is not valid JSON and was left out: {0}', parserReason(error)),
    };
  }
  if (isRecord(value)) return { kind: 'record', record: value };
  return { kind: 'no-object', message: localizable('This line is valid JSON but not an object; it was left out') };
}

/** The parser's message without its excerpt of the line, which may be long or private. */
function parserReason(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  const excerpt = message.indexOf(', "');
  return excerpt < 0 ? message : message.slice(0, excerpt);
}

/** A record together with its line. */
interface RecordAtLine {
  readonly record: JsonRecord;
  readonly line: Line;
}

/** The records of a file; other lines are left out. */
export async function* recordsIn(lines: AsyncIterable<Line>): AsyncGenerator<RecordAtLine> {
  for await (const line of lines) {
    const reading = readLine(line);
    if (reading.kind === 'record') yield { record: reading.record, line };
  }
}

/** The records among the first lines of a file; other lines are left out. */
export function* recordsOf(head: Iterable<string>): Generator<JsonRecord> {
  for (const text of head) {
    const reading = readLine({ number: 0, text });
    if (reading.kind === 'record') yield reading.record;
  }
}
