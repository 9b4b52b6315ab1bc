import { readdir } from 'node:fs/promises';
import { systemErrorCode } from './with-file';

/** The names in a folder; none where it is not there or cannot be read: whoever needs it to be there finds out otherwise. */
export async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (systemErrorCode(error) === null) throw error;
    return [];
  }
}
