import { basename, extname } from 'node:path';
import { type HeadAndTail, headAndTail, longEndBytes } from '../../platform/files/head-and-tail';
import type { NewestLines } from '../../platform/files/newest-line';
import { append } from '../../platform/json/append';
import type { LineFormat, LineOutline, StoredOutline } from '../adapter';
import type { AgentId, SessionIssue } from '../session';
import type { Candidate } from './candidates';

/** The outlines of a file's sessions. Empty: it is not a session, or lists leave it out. */
export interface FileOutlines {
  readonly agent: AgentId | null;
  readonly sessions: readonly StoredOutline[];
}

const none: FileOutlines = { agent: null, sessions: [] };

/** Where outlines are read: problems are added to `issues`. */
export interface OutlineReading {
  readonly issues: SessionIssue[];
  readonly newestLines: NewestLines;
}

/**
 * Asks the store, or reads a file's first and last lines. Where the outline also depends on a line between them, searches what was
 * added to the file since the last search; the first search may read the whole file.
 */
export async function outlinesIn(candidate: Candidate, reading: OutlineReading): Promise<FileOutlines> {
  const stores = candidate.owners.filter((owner) => owner.kind === 'store');
  const lines = candidate.owners.filter((owner) => owner.kind === 'lines');
  for (const store of stores) {
    const listing = await store.list(candidate.file);
    append(reading.issues, listing.issues);
    const sessions = listing.sessions.filter(({ isUnlisted }) => !isUnlisted);
    if (sessions.length > 0) return { agent: store.agent, sessions };
  }
  return lines.length > 0 ? await outlineOfLines(candidate.file, lines, reading) : none;
}

async function outlineOfLines(
  file: string,
  owners: readonly LineFormat[],
  { issues, newestLines }: OutlineReading,
): Promise<FileOutlines> {
  const ends = await headAndTail(file);
  if (ends.kind !== 'ends') {
    issues.push({ file, line: 0, message: ends.message });
    return none;
  }
  const owner = ownerOfFile(owners, ends.head);
  if (owner === undefined) return none;
  const { hasUnreadFill: _unread, ...outline } = await outlineOfEnds({ owner, file, newestLines }, ends);
  if (outline.isUnlisted) return none;
  const id = outline.id === '' ? basename(file, extname(file)) : outline.id;
  const cwd = outline.cwd ?? (await owner.folderOf?.(file)) ?? null;
  return { agent: owner.agent, sessions: [{ ...outline, id, cwd, key: null }] };
}

interface OwnedFile {
  readonly owner: LineFormat;
  readonly file: string;
  readonly newestLines: NewestLines;
}

/** Rules and instructions that an agent injects, and results of its newest calls, may be longer than what is usually read. */
async function outlineOfEnds(owned: OwnedFile, ends: HeadAndTail): Promise<LineOutline> {
  const outline = owned.owner.summarise(ends);
  if (!ends.hasGap) return outline;
  if (outline.title !== null && !outline.hasUnreadFill) return await outlineWithLine(owned, ends, outline);
  const longer = await headAndTail(owned.file, longEndBytes);
  if (longer.kind !== 'ends') return outline;
  return await outlineWithLine(owned, longer, owned.owner.summarise(longer));
}

/** Includes the line between them on which the outline depends. */
async function outlineWithLine(
  { owner, file, newestLines }: OwnedFile,
  ends: HeadAndTail,
  outline: LineOutline,
): Promise<LineOutline> {
  const wanted = owner.lineFor?.(outline) ?? null;
  if (wanted === null) return outline;
  const line = await newestLines.find(file, wanted);
  if (typeof line !== 'string' || ends.head.includes(line) || ends.tail.includes(line)) return outline;
  return owner.summarise({ ...ends, head: [...ends.head, line] });
}

/** A first prompt longer than the head leaves nothing to recognise; in an agent's own folder the name is enough then. */
function ownerOfFile(owners: readonly LineFormat[], head: readonly string[]): LineFormat | undefined {
  if (head.length === 0 && owners.length === 1) return owners[0];
  return owners.find((owner) => owner.recognises(head.slice(0, 50)));
}

/** Whether an outline remains valid while its file is unchanged. A running process may end without a trace. */
export function isCacheable({ sessions }: FileOutlines): boolean {
  return sessions.every((session) => session.inUse !== true);
}
