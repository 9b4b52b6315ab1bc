import type { Inspection } from '../../inspection/inspection';
import { findSession } from '../../inspection/lookup/find-session';
import { NoTarget, namedSession, namedText } from '../../inspection/tools/named-session';
import type { ToolTarget } from '../../inspection/tools/tool';
import type { SessionSummary } from '../../sessions/session';

export interface TargetSources {
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
  if (session !== null) return { inspection: await openNamed(session, sources), about: namedText };
  const ofChat = sources.conversationOfChat(token);
  if (ofChat !== null) return { inspection: await sources.openOwn(ofChat), about: 'About this chat.' };
  const recent = sources.recentConversation();
  if (recent !== null) {
    return {
      inspection: await sources.openOwn(recent),
      about: 'About the chat that last went through a Strata model; name another with "session".',
    };
  }
  const inspection = sources.inspected();
  if (inspection !== null) {
    return { inspection, about: 'About the session open in Strata’s inspector; name another with "session".' };
  }
  throw new NoTarget(
    'The session is unclear: this chat is not a Strata chat, and no session is open in Strata’s inspector. ' +
      'Name one with "session" (strata_session without fields lists them), or ask the person to open one with "Strata: Open Session…".',
  );
}

/** Uses the inspector's session if it is the named one, so that the panel shows changes. */
async function openNamed(asked: string, sources: TargetSources): Promise<Inspection> {
  const session = namedSession(await allSessions(sources), asked, sources.openFolders());
  const inspected = sources.inspected();
  return inspected?.session.file === session.file ? inspected : await sources.openFound(session);
}

/** The session that a call names; null if none or several match. */
export async function findNamed(asked: string, sources: TargetSources): Promise<SessionSummary | null> {
  const found = findSession(await allSessions(sources), asked, sources.openFolders());
  return found.kind === 'found' ? found.session : null;
}

/** The sessions of all agents and the inspector's session, wherever its file is. */
async function allSessions(sources: TargetSources): Promise<readonly SessionSummary[]> {
  const known = await sources.sessions();
  const inspected = sources.inspected();
  const isKnown = known.some(({ file }) => file === inspected?.session.file);
  return inspected && !isKnown ? [summaryOf(inspected), ...known] : known;
}

function summaryOf({ session: { agent, id, file, cwd, title, live } }: Inspection): SessionSummary {
  return { agent, id, file, cwd, title, live, modified: 0, size: 0 };
}
