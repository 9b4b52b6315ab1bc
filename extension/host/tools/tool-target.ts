import type { Inspection } from '../../inspection/inspection';
import { type FoundSession, findSession } from '../../inspection/lookup/find-session';
import { summaryLine } from '../../inspection/lookup/session-line';
import type { SessionSummary } from '../../sessions/session';

/** How the session of a call was determined. */
export type TargetReason = 'named' | 'this-chat' | 'recent-chat' | 'inspected';

/** The session of a tool call. */
export interface ToolTarget {
  readonly inspection: Inspection;
  readonly reason: TargetReason;
}

/** The session of a call is unclear. The message tells the model what to do. */
export class NoTarget extends Error {
  override name = 'NoTarget';
}

export interface TargetSources {
  /** The session open in the inspector. */
  inspected(): Inspection | null;
  /** The sessions of all agents, newest first. */
  sessions(): Promise<readonly SessionSummary[]>;
  openFolders(): readonly string[];
  /** Opens a listed session with its journal. Only reads the session. */
  openFound(session: SessionSummary): Promise<Inspection>;
  /** Opens one of Strata's own conversations by id. */
  openOwn(id: string): Promise<Inspection>;
  /** Id of the calling chat's Strata conversation, by the token of the call. */
  conversationOfChat(token: unknown): string | null;
  /** Id of the Strata model conversation that was active in the last ten minutes. */
  recentConversation(): string | null;
}

export async function targetOf(
  { session, token }: { readonly session: string | null; readonly token: unknown },
  sources: TargetSources,
): Promise<ToolTarget> {
  if (session !== null) return { inspection: await openNamed(session, sources), reason: 'named' };
  const ofChat = sources.conversationOfChat(token);
  if (ofChat !== null) return { inspection: await sources.openOwn(ofChat), reason: 'this-chat' };
  const recent = sources.recentConversation();
  if (recent !== null) return { inspection: await sources.openOwn(recent), reason: 'recent-chat' };
  const inspection = sources.inspected();
  if (inspection !== null) return { inspection, reason: 'inspected' };
  throw new NoTarget(
    'The session is unclear: this chat is not a Strata chat, and no session is open in Strata’s inspector. ' +
      'Name one with "session" (strata_session without fields lists them), or ask the person to open one with "Strata: Open Session…".',
  );
}

/** Uses the inspector's session if it is the named one, so that the panel shows changes. */
async function openNamed(asked: string, sources: TargetSources): Promise<Inspection> {
  const found = await findNamed(asked, sources);
  if (found.kind !== 'found') throw new NoTarget(notFoundText(asked, found));
  const inspected = sources.inspected();
  return inspected?.session.file === found.session.file ? inspected : await sources.openFound(found.session);
}

/** Searches the sessions of all agents and the inspector's session, wherever its file is. */
export async function findNamed(asked: string, sources: TargetSources): Promise<FoundSession> {
  const known = await sources.sessions();
  const inspected = sources.inspected();
  const isKnown = known.some(({ file }) => file === inspected?.session.file);
  const all = inspected && !isKnown ? [summaryOf(inspected), ...known] : known;
  return findSession(all, asked, sources.openFolders());
}

function summaryOf({ session: { agent, id, file, cwd, title, live } }: Inspection): SessionSummary {
  return { agent, id, file, cwd, title, live, modified: 0, size: 0 };
}

const maxNamed = 6;

function notFoundText(asked: string, found: Exclude<FoundSession, { kind: 'found' }>): string {
  if (found.kind === 'unknown') {
    return `No session matches "${asked}". strata_session without fields lists the newest ones with their ids.`;
  }
  const named = found.sessions.slice(0, maxNamed).map(summaryLine);
  const more = found.sessions.length - named.length;
  return [
    `${found.sessions.length} sessions match "${asked}". Call again with the id of one of them:`,
    ...named,
    ...(more > 0 ? [`… and ${more} more`] : []),
  ].join('\n');
}

/** First line of every answer, so that the model knows which session it reads about. */
export const reasonText: Readonly<Record<TargetReason, string>> = {
  named: 'About the session that was named.',
  'this-chat': 'About this chat.',
  'recent-chat': 'About the chat that last went through a Strata model; name another with "session".',
  inspected: 'About the session open in Strata’s inspector; name another with "session".',
};
