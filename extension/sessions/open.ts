import type { AgentEnvironment, SessionAdapter } from './adapter';
import { adapterOf, adapters } from './adapters';
import { processEnvironment } from './files/environment';
import { type ReadingStart, SessionReading, tornLineIssue } from './files/session-reading';
import { type NoFile, withFile } from './files/with-file';
import { isInUse, isLive } from './live';
import { agentNames, type Session, type SessionIssue } from './session';

export type NotOpened =
  | NoFile
  | {
      readonly kind: 'empty' | 'binary' | 'foreign';
      /** A sentence for a person; names the file. */
      readonly message: string;
    };

export type OpenOutcome = { readonly kind: 'opened'; readonly session: Session } | NotOpened;

export interface OpenOptions {
  /** Whose format the file is, where that is known; otherwise every agent's adapter is asked. */
  readonly adapter?: SessionAdapter;
  readonly environment?: AgentEnvironment;
  readonly now?: () => number;
}

/** Reads a session file as it stands. It is never written, and never held in memory as a whole. */
export async function openSession(file: string, options: OpenOptions = {}): Promise<OpenOutcome> {
  const start = await startReading(file, options.adapter);
  if (start.kind !== 'reading') return start;
  const { reading, modified } = start;
  const torn = reading.tornLine;
  const issues = torn === null ? [] : [tornLineIssue(file, torn)];
  return { kind: 'opened', session: await sessionOf(reading, modified, issues, options) };
}

export type Start =
  | {
      readonly kind: 'reading';
      readonly reading: SessionReading;
      /** Milliseconds since the epoch. */
      readonly modified: number;
    }
  | NotOpened;

export async function startReading(file: string, adapter: SessionAdapter | undefined): Promise<Start> {
  const candidates = adapter === undefined ? adapters : [trusting(adapter)];
  return await withFile<Start>(file, async (handle, stats) => {
    const start = await SessionReading.start(file, handle, candidates);
    return start.kind === 'reading' ? { ...start, modified: stats.mtimeMs } : notASession(file, start.kind);
  });
}

/** The session that a reading amounts to now, with issues of the file that the reading itself does not know of. */
export async function sessionOf(
  reading: SessionReading,
  modified: number,
  fileIssues: readonly SessionIssue[],
  options: Pick<OpenOptions, 'environment' | 'now'>,
): Promise<Session> {
  const { awaitsReply, ...session } = reading.parsed;
  const environment = options.environment ?? processEnvironment();
  const inUse = await isInUse(adapterOf(session.agent), session, environment);
  const live = isLive({ inUse, modified, awaitsReply }, (options.now ?? Date.now)());
  const cwd = session.cwd ?? (await adapterOf(session.agent).folderOf?.(session.file)) ?? null;
  return { ...session, cwd, live, issues: [...fileIssues, ...session.issues] };
}

function notASession(file: string, kind: Exclude<ReadingStart['kind'], 'reading'>): NotOpened {
  switch (kind) {
    case 'empty':
      return { kind, message: `${file} is empty` };
    case 'binary':
      return { kind, message: `${file} is not a text file` };
    case 'foreign':
      return { kind, message: `${file} is not a session of ${Object.values(agentNames).join(' or ')}` };
  }
}

/** Where a person has said whose session a file is, its first lines need not prove it. */
function trusting(adapter: SessionAdapter): SessionAdapter {
  return { ...adapter, recognises: () => true };
}
