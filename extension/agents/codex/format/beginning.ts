import { type LocalizableText, localizable } from '../../../engine/wording/localizable-text';
import * as s from '../../../platform/json/schemas';
import { type Line, recordsOf } from '../../../platform/lines/line';
import type { Rollouts } from './rollouts';

/** The start of another file that is part of this session: of a fork's original, or of a segment's predecessor. */
export interface Beginning {
  readonly file: string;
  readonly lines: Iterable<Line>;
}

type Beginnings =
  | { readonly kind: 'found'; readonly beginnings: readonly Beginning[] }
  | { readonly kind: 'not-found' | 'too-long' };

const sessionRecord = s.record({
  history_base: s.optionalRecord({ end_byte_offset: s.countOrZero, thread_id: s.text }),
});

/** Maximum bytes of all beginnings together: they are read in one go while the person waits. */
const longestBeginnings = 128 * 1024 * 1024;

/**
 * The lines of other files that come before a session's own lines (`history_base`), followed recursively, oldest file
 * first.
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

/** Why the earlier part of a session is missing, for display. */
export function reasonWithout({ kind }: Exclude<Beginnings, { kind: 'found' }>): LocalizableText {
  return kind === 'not-found'
    ? localizable('The earlier messages are in the file of the original session, which was not found')
    : localizable('The earlier messages are in the file of the original session, which is too large to read');
}

function* texts(lines: Iterable<Line>): Iterable<string> {
  for (const { text } of lines) yield text;
}
