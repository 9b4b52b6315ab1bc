import type { SessionSummary } from '../../sessions/session';
import { findSession } from '../lookup/find-session';
import { summaryLine } from '../lookup/session-line';
import { quoted } from './quoted';

/** The session of a call is unclear. The message tells the model what to do. */
export class NoTarget extends Error {
  override name = 'NoTarget';
}

/** The one session that the caller named. Throws `NoTarget` if none or several match. */
export function namedSession(
  known: readonly SessionSummary[],
  asked: string,
  preferredFolders: readonly string[],
): SessionSummary {
  const found = findSession(known, asked, preferredFolders);
  if (found.kind === 'found') return found.session;
  throw new NoTarget(
    found.kind === 'unknown'
      ? `No session matches "${asked}". strata_session without fields lists the newest ones with their ids.`
      : ambiguousText(asked, found.sessions),
  );
}

const maxNamed = 6;

function ambiguousText(asked: string, sessions: readonly SessionSummary[]): string {
  const more = sessions.length - maxNamed;
  const lines = [...sessions.slice(0, maxNamed).map(summaryLine), ...(more > 0 ? [`… and ${more} more`] : [])];
  return `${sessions.length} sessions match "${asked}". Call again with the id of one of them.\n${quoted(lines.join('\n'))}`;
}

export const namedText = 'About the session that was named.';
