import { realpath } from 'node:fs/promises';
import { basename, dirname, extname, join } from 'node:path';
import { exists } from '../platform/files/exists';
import { fileWith } from '../platform/files/file-with';
import { orIfUnreadable } from '../platform/files/with-file';
import type { Session } from '../sessions/session';
import { forksOf, type KnownFork } from './fork/fork-index';

/** Sessions before and after this one that are on this machine. */
export interface Relatives {
  /** The file of its predecessor; null if it has none, or if it is not on this machine. */
  readonly predecessor: string | null;
  /** The forks that Strata wrote of it, oldest first. */
  readonly forks: readonly KnownFork[];
}

export const noRelatives: Relatives = { predecessor: null, forks: [] };

/** @param journals the folder of the session's journal. */
export async function relativesOf(session: Session, journals: string): Promise<Relatives> {
  if (session.store) return noRelatives;
  const file = await orIfUnreadable(realpath(session.file), session.file);
  return { predecessor: await predecessorOf(session), forks: await forksOf(journals, file) };
}

/** At its original place, or beside the session, if both were moved. */
export async function predecessorOf({
  predecessor,
  file,
}: Pick<Session, 'predecessor' | 'file'>): Promise<string | null> {
  if (predecessor?.mark) return await fileWith(predecessor.mark, dirname(file), extname(file), file);
  if (!predecessor?.file) return null;
  const places = [predecessor.file, join(dirname(file), basename(predecessor.file))];
  for (const place of places) if (place !== file && (await exists(place))) return place;
  return null;
}
