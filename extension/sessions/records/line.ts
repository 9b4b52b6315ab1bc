import { isRecord, type JsonRecord } from './schemas';

/** One line of an append-only session file. */
export interface Line {
  /** 1-based. */
  readonly number: number;
  readonly text: string;
}

export type LineReading =
  | { readonly kind: 'record'; readonly record: JsonRecord }
  /** Nothing but white space; JSON lines allow it and some tools leave it. */
  | { readonly kind: 'blank' }
  /** Valid JSON, but no object: no agent writes such a line. */
  | { readonly kind: 'no-object'; readonly message: string }
  | { readonly kind: 'broken'; readonly message: string };

export function readLine(line: Line): LineReading {
  if (line.text.trim() === '') return { kind: 'blank' };
  let value: unknown;
  try {
    value = JSON.parse(line.text);
  } catch (error) {
    return { kind: 'broken', message: `This line is not valid JSON and was left out: ${reasonOf(error)}` };
  }
  if (isRecord(value)) return { kind: 'record', record: value };
  return { kind: 'no-object', message: 'This line is valid JSON but no object; it was left out' };
}

/** The parser's own words, without the excerpt of the line it quotes: that can be long, or private. */
function reasonOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  const excerpt = message.indexOf(', "');
  return excerpt < 0 ? message : message.slice(0, excerpt);
}
