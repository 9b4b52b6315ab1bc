import { readFile } from 'node:fs/promises';
import { systemErrorCode } from './with-file';

/** A small file's text; null where it is not there or cannot be read, and nothing depends on it. */
export async function textOf(file: string): Promise<string | null> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if (systemErrorCode(error) === null) throw error;
    return null;
  }
}
