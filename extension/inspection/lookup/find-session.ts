import { basename, extname } from 'node:path';
import type { SessionSummary } from '../../sessions/session';

type FoundSession =
  | { readonly kind: 'found'; readonly session: SessionSummary }
  | { readonly kind: 'ambiguous'; readonly sessions: readonly SessionSummary[] }
  | { readonly kind: 'unknown' };

/** Minimum length of an id prefix; a shorter one is more likely a word. */
const shortestBeginning = 6;

type Fits = (session: SessionSummary, asked: string) => boolean;

/** Ways to identify a session, most specific first. The first way that matches any session decides. */
const ways: readonly Fits[] = [
  ({ id, file }, asked) => id === asked || file === asked,
  ({ file }, asked) => basename(file) === asked || basename(file, extname(file)) === asked,
  ({ title }, asked) => title?.toLowerCase() === asked.toLowerCase(),
  ({ id }, asked) => asked.length >= shortestBeginning && id.startsWith(asked),
  ({ title }, asked) =>
    asked
      .toLowerCase()
      .split(/\s+/)
      .every((word) => title?.toLowerCase().includes(word)),
];

/** If several sessions match, those of the preferred folders take precedence. */
export function findSession(
  sessions: readonly SessionSummary[],
  asked: string,
  preferredFolders: readonly string[],
): FoundSession {
  for (const fits of ways) {
    const fitting = sessions.filter((session) => fits(session, asked.trim()));
    if (fitting.length > 0) return decide(fitting, preferredFolders);
  }
  return { kind: 'unknown' };
}

function decide(fitting: readonly SessionSummary[], folders: readonly string[]): FoundSession {
  const here = fitting.filter((session) => isIn(session, folders));
  const considered = here.length > 0 ? here : fitting;
  const [only] = considered;
  return only && considered.length === 1
    ? { kind: 'found', session: only }
    : { kind: 'ambiguous', sessions: considered };
}

export function isIn({ cwd }: Pick<SessionSummary, 'cwd'>, folders: readonly string[]): boolean {
  return cwd !== null && folders.includes(cwd);
}
