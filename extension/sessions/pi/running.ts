import { readdir, readFile, readlink, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { systemErrorCode } from '../files/with-file';

/** What pi calls its process, whichever way it was started (seen: 0.87.1 on Linux; the other is its entry for programs). */
const processNames = new Set(['pi', 'pi-rpc']);

/**
 * Whether some pi runs in this folder. It may have any session of the folder open: pi keeps no file open and no list of
 * what it has open, and it goes on where it was itself, whatever is behind that in the file by then. Only Linux tells,
 * and not of processes in a container or of other people: `unknown` elsewhere, and `none` is no proof.
 */
export async function piIn(folder: string, processes = '/proc'): Promise<'running' | 'none' | 'unknown'> {
  const ids = await orNull(readdir(processes));
  const running = ids?.filter((id) => /^\d+$/.test(id)) ?? [];
  if (running.length === 0) return 'unknown';
  // The system tells a process's folder without links.
  const wanted = (await orNull(realpath(folder))) ?? folder;
  for (const id of running) if (await isPiIn(wanted, join(processes, id))) return 'running';
  return 'none';
}

async function isPiIn(folder: string, process: string): Promise<boolean> {
  const name = (await orNull(readFile(join(process, 'comm'), 'utf8')))?.trim() ?? '';
  return processNames.has(name) && (await orNull(readlink(join(process, 'cwd')))) === folder;
}

/** Null for what is not there, is gone by now, or is not for us to see. */
async function orNull<T>(look: Promise<T>): Promise<T | null> {
  try {
    return await look;
  } catch (error) {
    if (systemErrorCode(error) === null) throw error;
    return null;
  }
}
