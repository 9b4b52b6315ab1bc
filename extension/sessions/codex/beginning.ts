import { type LocalizableText, localizable } from '../../engine/wording/localizable-text';
import { type Line, recordsOf } from '../records/line';
import * as s from '../records/schemas';
import type { Rollouts } from './rollouts';

/** The start of a file that a fork shares with its original, or a segment with the previous ones. */
export interface Beginning {
  readonly file: string;
  readonly lines: Iterable<Line>;
}

export type Beginnings =
  | { readonly kind: 'found'; readonly beginnings: readonly Beginning[] }
  | { readonly kind: 'not-found' | 'too-long' };

const sessionRecord = s.record({
  history_base: s.optionalRecord({ end_byte_offset: s.countOrZero, thread_id: s.text }),
});

/** Bytes of all beginnings together: they are read at once, while the person waits. */
const longestBeginnings = 128 * 1024 * 1024;

/**
 * Where a session's history begins that refers to another file (`history_base`): that one's lines, and before them the
 * lines that it refers to itself.
 */
export function beginningsOf(session: s.JsonRecord, rollouts: Rollouts): Beginnings {
  const beginnings: Beginning[] = [];
  const files = new Set<string>();
  let bytes = 0;
  let { history_base: base } = s.read(sessionRecord, session);
  while (base !== null) {
    const { end_byte_offset: end, thread_id: thread } = base;
    bytes += end;
    if (bytes > longestBeginnings) return { kind: 'too-long' };
    const file = rollouts.findSegment(thread);
    const lines = file === null || files.has(file) ? null : rollouts.linesBefore(file, end);
    if (file === null || lines === null) return { kind: 'not-found' };
    files.add(file);
    beginnings.push({ file, lines });
    const [first] = recordsOf(texts(lines));
    base = s.read(sessionRecord, first?.payload).history_base;
  }
  return { kind: 'found', beginnings: beginnings.reverse() };
}

/** For a person: why what came before a session is not there. */
export function reasonWithout({ kind }: Exclude<Beginnings, { kind: 'found' }>): LocalizableText {
  return kind === 'not-found'
    ? localizable('What came before is in the file of the session that it was forked from, which is not found')
    : localizable(
        'What came before is in the file of the session that it was forked from, of which too much would have to be read',
      );
}

function* texts(lines: Iterable<Line>): Iterable<string> {
  for (const { text } of lines) yield text;
}
