import type { JsonRecord } from '../../platform/json/schemas';
import { type Line, readLine } from '../../platform/lines/line';
import type { ParsedSession } from '../session';
import { LineSession, type LineTraits } from './line-session';
import { WholeFile } from './whole-file';

/** The base of sessions in JSON lines that older versions wrote as one JSON object. */
export abstract class WholeFileSession extends LineSession {
  protected readonly whole: WholeFile;

  /** @param isObjectStart see `WholeFile`. */
  constructor(
    agent: ParsedSession['agent'],
    file: string,
    traits: LineTraits,
    isObjectStart?: (text: string) => boolean,
  ) {
    super(agent, file, traits);
    this.whole = new WholeFile(isObjectStart);
  }

  override accept(line: Line): void {
    if (!this.whole.takes(line)) super.accept(line);
  }

  isEnd(line: Line): boolean {
    return this.whole.isEnd(line);
  }
}

/** How a file begins: with a record, or with a pretty-printed object, whose brace is on a line of its own. */
type FileStart =
  | { readonly kind: 'record'; readonly record: JsonRecord }
  /** `names`: the names of its fields. */
  | { readonly kind: 'pretty'; readonly names: readonly string[] }
  | { readonly kind: 'other' };

/** @param field finds the name of a field of the outermost object in a line of pretty-printed JSON. */
export function startOf(head: readonly string[], field: RegExp): FileStart {
  const first = head.findIndex((text) => text.trim() !== '');
  const text = head[first] ?? '';
  if (text.trim() === '{')
    return { kind: 'pretty', names: head.slice(first + 1).flatMap((line) => field.exec(line)?.[1] ?? []) };
  const reading = readLine({ number: first + 1, text });
  return reading.kind === 'record' ? reading : { kind: 'other' };
}
