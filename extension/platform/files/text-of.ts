import { readFile } from 'node:fs/promises';
import { orIfUnreadable } from './with-file';

/** The text of an optional small file; null if it is missing or cannot be read. */
export function textOf(file: string): Promise<string | null> {
  return orIfUnreadable(readFile(file, 'utf8'), null);
}
