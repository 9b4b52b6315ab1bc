import { homedir } from 'node:os';
import { join } from 'node:path';
import { dataFolder } from '../platform/files/data-folder';

/** In the data folder that command line programs share. */
export function defaultFolder(): string {
  return join(dataFolder({ home: homedir(), variables: process.env }), 'strata');
}

export function defaultJournalFolder(): string {
  return join(defaultFolder(), 'journals');
}
