import { readdir, readFile, readlink, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { systemErrorCode } from '../../../platform/files/with-file';

/** Names of pi's process, interactive and started by a program (observed with 0.87.1 on Linux). */
const processNames = new Set(['pi', 'pi-rpc']);

/**
 * Whether a pi process runs in this folder. It may have any session of the folder open: pi keeps no file open and no
 * list of open sessions, and it continues from its memory, whatever was appended to the file meanwhile. Works only on
 * Linux (elsewhere `unknown`), and not for processes in containers or of other users, so `none` is no proof.
 */
export async function piIn(folder: string, processes = '/proc'): Promise<'running' | 'none' | 'unknown'> {
  const ids = await orNull(readdir(processes));
  const running = ids?.filter((id) => /^\d+$/.test(id)) ?? [];
  if (running.length === 0) return 'unknown';
  // The system reports a process's folder with links resolved.
  const wanted = (await orNull(realpath(folder))) ?? folder;
  for (const id of running) if (await isPiIn(wanted, join(processes, id))) return 'running';
  return 'none';
}

async function isPiIn(folder: string, process: string): Promise<boolean> {
  const name = (await orNull(readFile(join(process, 'comm'), 'utf8')))?.trim() ?? '';
  return processNames.has(name) && (await orNull(readlink(join(process, 'cwd')))) === folder;
}

/** Null if it does not exist, no longer exists, or may not be read. */
async function orNull<T>(look: Promise<T>): Promise<T | null> {
  try {
    return await look;
  } catch (error) {
    if (systemErrorCode(error) === null) throw error;
    return null;
  }
}
