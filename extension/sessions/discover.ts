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
  const owners = await inParallel(options.adapters ?? adapters, filesAtOnce, (adapter) =>
    ownerOf(adapter, environment),
  );
  const places = [
    ...owners.flatMap((owner) => owner.adapter.roots(environment).map((root): Place => ({ root, owners: [owner] }))),
    ...(options.folders ?? []).map((root): Place => ({ root, owners })),
  ];
  const candidates = await candidatesIn(places, issues);
  candidates.sort((one, other) => other.modified - one.modified);
  const now = (options.now ?? Date.now)();
  const sessions = await summaries(candidates, options.limit ?? candidates.length, now, issues);
  return { sessions, files: candidates.length, issues };
}

/** An agent, with the sessions that it has open. */
interface Owner {
  readonly adapter: SessionAdapter;
  readonly inUse: ReadonlySet<string>;
}

/** A folder to search, and the agents whose sessions may be in it. */
interface Place {
  readonly root: string;
  readonly owners: readonly Owner[];
}

/** A file that may be a session, by its name. */
interface Candidate {
  readonly file: string;
  readonly owners: readonly Owner[];
  readonly modified: number;
  readonly size: number;
}

async function ownerOf(adapter: SessionAdapter, environment: AgentEnvironment): Promise<Owner> {
  return { adapter, inUse: (await adapter.sessionsInUse?.(environment)) ?? new Set() };
}

async function candidatesIn(places: readonly Place[], issues: SessionIssue[]): Promise<Candidate[]> {
  const files = new Map<string, readonly Owner[]>();
  for (const { root, owners } of places) {
    const walk = await filesBelow(root, Math.max(...owners.map(({ adapter }) => adapter.foldersBelowRoot)));
    append(issues, walk.issues);
    for (const file of walk.files) {
      const possible = owners.filter(({ adapter }) => adapter.mayBeSession(file));
      if (possible.length > 0 && !files.has(file)) files.set(file, possible);
    }
  }
  const found = await inParallel([...files], statsAtOnce, async ([file, owners]) => {
    const stats = await statsOf(file, issues);
    return stats === null ? null : { file, owners, modified: stats.mtimeMs, size: stats.size };
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
  const { file, modified, size } = candidate;
  const ends = await headAndTail(file);
  if (ends.kind !== 'ends') {
    issues.push({ file, line: 0, message: ends.message });
    return null;
  }
  const owner = ownerOfFile(candidate.owners, ends.head);
  if (owner === undefined) return null;
  if (owner.adapter.kind !== 'lines') return null;
  const { awaitsReply, isUnlisted, ...outline } = owner.adapter.summarise(ends.head, ends.tail);
  if (isUnlisted) return null;
  const id = outline.id === '' ? basename(file, extname(file)) : outline.id;
  const live = isLive({ inUse: owner.inUse.has(id), modified, awaitsReply }, now);
  const cwd = outline.cwd ?? (await owner.adapter.folderOf?.(file)) ?? null;
  return { agent: owner.adapter.agent, file, modified, size, ...outline, id, cwd, live };
}

/** A first prompt longer than the head leaves nothing to recognise; in an agent's own folder the name is enough then. */
function ownerOfFile(owners: readonly Owner[], head: readonly string[]): Owner | undefined {
  if (head.length === 0 && owners.length === 1) return owners[0];
  return owners.find(({ adapter }) => adapter.kind === 'lines' && adapter.recognises(head.slice(0, 50)));
}
