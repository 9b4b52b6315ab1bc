import { basename, extname } from 'node:path';
import { type HeadAndTail, headAndTail, longHeadBytes } from '../../platform/files/head-and-tail';
import type { NewestLines } from '../../platform/files/newest-line';
import { append } from '../../platform/json/append';
import type { LineFormat, SessionOutline, StoredOutline } from '../adapter';
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
  const outline = await outlineWithPrompt({ owner, file, newestLines }, ends);
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

/** Rules and instructions that an agent injects may be longer than the head that is usually read. */
async function outlineWithPrompt(owned: OwnedFile, ends: HeadAndTail): Promise<SessionOutline> {
  const { owner, file } = owned;
  const outline = owner.summarise(ends.head, ends.tail);
  if (ends.tail.length === 0) return outline;
  if (outline.title !== null) return await outlineWithLine(owned, ends, outline);
  const longer = await headAndTail(file, longHeadBytes);
  if (longer.kind !== 'ends') return outline;
  return await outlineWithLine(owned, longer, owner.summarise(longer.head, longer.tail));
}

/** Includes the line between them on which the outline depends. */
async function outlineWithLine(
  { owner, file, newestLines }: OwnedFile,
  { head, tail }: HeadAndTail,
  outline: SessionOutline,
): Promise<SessionOutline> {
  const wanted = owner.lineFor?.(outline) ?? null;
  if (wanted === null) return outline;
  const line = await newestLines.find(file, wanted);
  if (typeof line !== 'string' || head.includes(line) || tail.includes(line)) return outline;
  return owner.summarise([...head, line], tail);
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
