import { resolve } from 'node:path';
import { withoutSecrets } from '../conversations/stores/places/place';
import type { CurrentSession } from '../inspection/inspection';
import type { SessionJournal } from '../inspection/journal-file';
import { openJournal } from '../inspection/journal-store';
import type { SessionAdapter } from '../sessions/adapter';
import { adapterOf } from '../sessions/adapters';
import { openSession } from '../sessions/open';
import type { AgentId } from '../sessions/session';
import { atEnd } from './at-end';
import { CommandFailed } from './command-failed';
import { warn } from './output';
import { storeAt } from './store-at';

export interface JournalOptions {
  readonly journal: string;
  /** The agent that wrote the file. Absent: recognized by the first lines of the file. */
  readonly agent?: AgentId;
  /** A store, in the form that `storeAt` accepts. The file is then the key or id of a conversation in it. */
  readonly in?: string;
  /** Tenant of the conversation. Absent: it has no tenant. */
  readonly tenant?: string;
}

interface SessionWithJournal {
  readonly current: CurrentSession;
  readonly journal: SessionJournal;
}

export function adapterFor({ agent }: Pick<JournalOptions, 'agent'>): { readonly adapter?: SessionAdapter } {
  return agent === undefined ? {} : { adapter: adapterOf(agent) };
}

/**
 * Opens a session file, or a conversation in a store, with its journal. Problems are printed as warnings to standard error; everything else
 * is used.
 */
export async function openWithJournal(file: string, options: JournalOptions): Promise<SessionWithJournal> {
  const { journal, in: store, tenant } = options;
  if (store !== undefined) return await conversationIn(store, file, tenant);
  if (tenant !== undefined) throw new CommandFailed('--tenant belongs to --in', true);
  if (journal === '') throw new CommandFailed('--journal needs a folder', true);
  const outcome = await openSession(resolve(file), adapterFor(options));
  if (outcome.kind !== 'opened') throw new CommandFailed(String(outcome.message));
  const { session } = outcome;
  const opened = await openJournal(journal, { agent: session.agent, id: session.id, file: session.file });
  for (const issue of [...session.issues, ...opened.issues]) warn(`${issue.file}:${issue.line}: ${issue.message}`);
  return { current: { session }, journal: opened };
}

async function conversationIn(place: string, name: string, scope: string | undefined): Promise<SessionWithJournal> {
  const store = await storeAt(place, warn);
  atEnd(() => store.close());
  try {
    const { storedSession } = await import('../conversations/stores/stored-session');
    return await storedSession(store, { name, scope, place: withoutSecrets(place) });
  } catch (error) {
    throw new CommandFailed(error instanceof Error ? error.message : String(error));
  }
}
