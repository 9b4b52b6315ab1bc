import { stat } from 'node:fs/promises';
import { basename, extname } from 'node:path';
import type { AgentEnvironment, SessionAdapter } from './adapter';
import { adapters } from './adapters';
import { filesBelow } from './files/folder-walk';
import { headAndTail } from './files/head-and-tail';
import { inParallel } from './files/parallel';
import { systemErrorCode } from './files/with-file';
import { isLive } from './live';
import { append } from './records/append';
import type { SessionIssue, SessionSummary } from './session';

export interface Discovery {
  /** Newest first. */
  readonly sessions: readonly SessionSummary[];
  /** How many files there are that may be sessions; more than `sessions` where a limit was given. */
  readonly files: number;
  /** Folders and files that could not be read. */
  readonly issues: readonly SessionIssue[];
}

export interface DiscoverOptions {
  /** How many sessions to return. Only about that many files are opened. */
  readonly limit?: number;
  /** Folders to search besides the agents' own. */
  readonly folders?: readonly string[];
  readonly adapters?: readonly SessionAdapter[];
  readonly now?: () => number;
}

const statsAtOnce = 32;
const filesAtOnce = 8;

/** The sessions in all agents' own folders, and in those given. Opens a file's first and last lines only. */
export async function discoverSessions(
  environment: AgentEnvironment,
  options: DiscoverOptions = {},
): Promise<Discovery> {
  const issues: SessionIssue[] = [];
  const candidates: Candidate[] = [];
  for (const adapter of options.adapters ?? adapters) {
    append(candidates, await candidatesOf(adapter, environment, issues));
  }
  candidates.sort((one, other) => other.modified - one.modified);
  const now = (options.now ?? Date.now)();
  const sessions = await summaries(candidates, options.limit ?? candidates.length, now, issues);
  return { sessions, files: candidates.length, issues };
}

/** A file that may be a session, by its name. */
interface Candidate {
  readonly file: string;
  readonly adapter: SessionAdapter;
  readonly modified: number;
  readonly size: number;
  readonly inUse: ReadonlySet<string>;
}

async function candidatesOf(
  adapter: SessionAdapter,
  roots: readonly string[],
  environment: AgentEnvironment,
  issues: SessionIssue[],
): Promise<Candidate[]> {
  const inUse = (await adapter.sessionsInUse?.(environment)) ?? new Set<string>();
  const files = new Set<string>();
  for (const root of roots) {
    const walk = await filesBelow(root, adapter.foldersBelowRoot);
    append(issues, walk.issues);
    for (const file of walk.files) if (adapter.mayBeSession(file)) files.add(file);
  }
  const found = await inParallel([...files], statsAtOnce, async (file) => {
    const stats = await statsOf(file, issues);
    return stats === null ? null : { file, adapter, inUse, modified: stats.mtimeMs, size: stats.size };
  });
  return found.filter((candidate) => candidate !== null);
}

async function statsOf(file: string, issues: SessionIssue[]): Promise<{ mtimeMs: number; size: number } | null> {
  try {
    return await stat(file);
  } catch (error) {
    issues.push({ file, line: 0, message: `${file} cannot be read (${systemErrorCode(error)})` });
    return null;
  }
}

/** Some candidates turn out to be no sessions, so this goes on until the limit is reached or none are left. */
async function summaries(
  candidates: readonly Candidate[],
  limit: number,
  now: number,
  issues: SessionIssue[],
): Promise<SessionSummary[]> {
  const found: SessionSummary[] = [];
  for (let next = 0; next < candidates.length && found.length < limit; ) {
    const batch = candidates.slice(next, next + Math.max(filesAtOnce, limit - found.length));
    next += batch.length;
    const outcomes = await inParallel(batch, filesAtOnce, (candidate) => summaryOf(candidate, now, issues));
    append(
      found,
      outcomes.filter((summary) => summary !== null),
    );
  }
  return found.slice(0, limit);
}

async function summaryOf(candidate: Candidate, now: number, issues: SessionIssue[]): Promise<SessionSummary | null> {
  const { adapter, file, modified, size, inUse } = candidate;
  const ends = await headAndTail(file);
  if (ends.kind !== 'ends') {
    issues.push({ file, line: 0, message: ends.message });
    return null;
  }
  // A first prompt longer than the head leaves nothing to recognise; then the place and name of the file are enough.
  const tooLongToTell = ends.head.length === 0;
  if (!tooLongToTell && !adapter.recognises(ends.head.slice(0, 50))) return null;
  const { awaitsReply, ...outline } = adapter.summarise(ends.head, ends.tail);
  const id = outline.id === '' ? basename(file, extname(file)) : outline.id;
  const live = isLive({ inUse: inUse.has(id), modified, awaitsReply }, now);
  return { agent: adapter.agent, file, modified, size, ...outline, id, live };
}
