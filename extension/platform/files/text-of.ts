import { readFile } from 'node:fs/promises';
import { systemErrorCode } from './with-file';

/** The text of an optional small file; null if it is missing or cannot be read. */
export async function textOf(file: string): Promise<string | null> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if (systemErrorCode(error) === null) throw error;
    return null;
  }
}
