import { stat } from 'node:fs/promises';
import { adapters } from '../../sessions/adapters';
import { readAddress } from '../../sessions/address';
import { filesBelow } from '../../sessions/files/folder-walk';
import { systemErrorCode } from '../../sessions/files/with-file';
import { sessionsIn } from '../../sessions/sessions-in';
import type { ReplayReport } from '../measure/replay';

export type Skipped = ReplayReport['skipped'][number];

export interface FoundSessions {
  /** By which they are opened, in an order that is the same each time. */
  readonly addresses: readonly string[];
  readonly skipped: readonly Skipped[];
}

export interface SearchLimits {
  readonly deepest: number;
  readonly mostSessions: number;
  /** Bytes of a file that is read as a whole. */
  readonly largestFile: number;
  /** Bytes of a database, of which one session is read at a time. */
  readonly largestDatabase: number;
}

export const searchLimits: SearchLimits = {
  deepest: 12,
  mostSessions: 2000,
  largestFile: 64 * 1024 * 1024,
  largestDatabase: 2 * 1024 * 1024 * 1024,
};

/**
 * Every file below a folder that may be a session by its name, or the files given, whatever their names. A file with many
 * sessions stands for each of them; one of them alone is given by its address. Nothing is opened but such files.
 */
export async function findSessions(
  places: string | readonly string[],
  limits: SearchLimits = searchLimits,
  signal?: AbortSignal,
): Promise<FoundSessions> {
  const skipped: Skipped[] = [];
  const addresses: string[] = [];
  const files = typeof places === 'string' ? await filesAt(places, limits, skipped, signal) : places;
  for (const file of [...new Set(files)].sort()) {
    signal?.throwIfAborted();
    const store = await storeOf(file);
    if (!(await isReadable(store ?? file, limits, skipped))) continue;
    const inStore = store === null ? await sessionsIn(file) : [];
    addresses.push(...(inStore.length === 0 ? [file] : inStore.map(({ address }) => address).sort()));
  }
  return { addresses: limited(addresses, limits, skipped), skipped };
}

async function filesAt(
  place: string,
  limits: SearchLimits,
  skipped: Skipped[],
  signal: AbortSignal | undefined,
): Promise<readonly string[]> {
  const stats = await statsOf(place, skipped);
  if (stats === null) return [];
  if (!stats.isDirectory()) return [place];
  const walk = await filesBelow(place, limits.deepest, signal);
  skipped.push(...walk.issues.map(({ file, message }) => ({ file, reason: message })));
  return walk.files.filter((file) => adapters.some((adapter) => adapter.mayBeSession(file)));
}

/** The file that holds the session of this address among others; null where the address is a file itself. */
async function storeOf(address: string): Promise<string | null> {
  const [, inStore] = readAddress(address);
  return inStore && (await statsOf(address, [])) === null ? inStore.file : null;
}

async function isReadable(file: string, limits: SearchLimits, skipped: Skipped[]): Promise<boolean> {
  const stats = await statsOf(file, skipped);
  if (stats === null) return false;
  const most = file.endsWith('.db') ? limits.largestDatabase : limits.largestFile;
  if (stats.size > most)
    skipped.push({ file, reason: `It has ${stats.size} bytes, more than the ${most} that are read` });
  return stats.size <= most;
}

async function statsOf(path: string, skipped: Skipped[]) {
  try {
    return await stat(path);
  } catch (error) {
    const code = systemErrorCode(error);
    if (code === null) throw error;
    skipped.push({ file: path, reason: `It cannot be read (${code})` });
    return null;
  }
}

function limited(addresses: readonly string[], { mostSessions }: SearchLimits, skipped: Skipped[]): readonly string[] {
  const first = addresses[mostSessions];
  if (first === undefined) return addresses;
  const left = addresses.length - mostSessions;
  skipped.push({ file: first, reason: `This session and ${left - 1} after it are more than the ${mostSessions} read` });
  return addresses.slice(0, mostSessions);
}
