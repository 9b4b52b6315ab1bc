import { stat } from 'node:fs/promises';
import { filesBelow } from '../../platform/files/folder-walk';
import { systemErrorCode } from '../../platform/files/with-file';
import { adapters } from '../../sessions/adapters';
import { readAddress } from '../../sessions/address';
import { sessionsIn } from '../../sessions/sessions-in';
import type { ReplayReport } from '../measure/replay';

export type Skipped = ReplayReport['skipped'][number];

export interface FoundSessions {
  /** Addresses to open the sessions by, sorted. */
  readonly addresses: readonly string[];
  readonly skipped: readonly Skipped[];
}

export interface SearchLimits {
  readonly maxDepth: number;
  readonly maxSessions: number;
  /** For files that are read as a whole. */
  readonly maxFileBytes: number;
  /** For databases, which are read one session at a time. */
  readonly maxDatabaseBytes: number;
}

export const searchLimits: SearchLimits = {
  maxDepth: 12,
  maxSessions: 2000,
  maxFileBytes: 64 * 1024 * 1024,
  maxDatabaseBytes: 2 * 1024 * 1024 * 1024,
};

/**
 * Finds every file below a folder that may be a session by its name, or takes the given files whatever their names. A
 * file with many sessions yields each of them; a single one can be given by its address. Opens no other file.
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
  const walk = await filesBelow(place, limits.maxDepth, signal);
  skipped.push(...walk.issues.map(({ file, message }) => ({ file, reason: String(message) })));
  return walk.files.filter((file) => adapters.some((adapter) => adapter.mayBeSession(file)));
}

/** The file that contains the session with this address; null if the address is itself a file. */
async function storeOf(address: string): Promise<string | null> {
  const [, inStore] = readAddress(address);
  return inStore && (await statsOf(address, [])) === null ? inStore.file : null;
}

async function isReadable(file: string, limits: SearchLimits, skipped: Skipped[]): Promise<boolean> {
  const stats = await statsOf(file, skipped);
  if (stats === null) return false;
  const most = file.endsWith('.db') ? limits.maxDatabaseBytes : limits.maxFileBytes;
  if (stats.size > most) skipped.push({ file, reason: `It has ${stats.size} bytes; the limit is ${most}` });
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

function limited(addresses: readonly string[], { maxSessions }: SearchLimits, skipped: Skipped[]): readonly string[] {
  const first = addresses[maxSessions];
  if (first === undefined) return addresses;
  const left = addresses.length - maxSessions;
  skipped.push({ file: first, reason: `This session and ${left - 1} after it exceed the limit of ${maxSessions}` });
  return addresses.slice(0, maxSessions);
}
