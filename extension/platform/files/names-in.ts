import { readdir } from 'node:fs/promises';
import { systemErrorCode } from './with-file';

/** The names in a folder; empty if it does not exist or cannot be read. */
export async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (systemErrorCode(error) === null) throw error;
    return [];
  }
}
