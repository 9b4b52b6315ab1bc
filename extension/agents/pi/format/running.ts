import { readlink, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { namesIn } from '../../../platform/files/names-in';
import { textOf } from '../../../platform/files/text-of';
import { orIfUnreadable } from '../../../platform/files/with-file';

/** Names of pi's process, interactive and started by a program (observed with 0.87.1 on Linux). */
const processNames = new Set(['pi', 'pi-rpc']);

/**
 * Whether a pi process runs in this folder. It may have any session of the folder open: pi keeps no file open and no
 * list of open sessions, and it continues from its memory, whatever was appended to the file meanwhile. Works only on
 * Linux (elsewhere `unknown`), and not for processes in containers or of other users, so `none` is no proof.
 */
export async function piIn(folder: string, processes = '/proc'): Promise<'running' | 'none' | 'unknown'> {
  const running = (await namesIn(processes)).filter((id) => /^\d+$/.test(id));
  if (running.length === 0) return 'unknown';
  // The system reports a process's folder with links resolved.
  const wanted = await orIfUnreadable(realpath(folder), folder);
  for (const id of running) if (await isPiIn(wanted, join(processes, id))) return 'running';
  return 'none';
}

async function isPiIn(folder: string, process: string): Promise<boolean> {
  const name = (await textOf(join(process, 'comm')))?.trim() ?? '';
  return processNames.has(name) && (await orIfUnreadable(readlink(join(process, 'cwd')), null)) === folder;
}
