import { readdir } from 'node:fs/promises';
import { orIfUnreadable } from './with-file';

/** The names in a folder; empty if it does not exist or cannot be read. */
export function namesIn(folder: string): Promise<string[]> {
  return orIfUnreadable(readdir(folder), []);
}
