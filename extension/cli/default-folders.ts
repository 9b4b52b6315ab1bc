import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { dataFolder } from '../platform/files/data-folder';

/** In the data folder that command line programs share. */
export function defaultFolder(): string {
  return join(dataFolder({ home: homedir(), variables: process.env }), 'strata');
}

export function defaultJournalFolder(): string {
  return join(defaultFolder(), 'journals');
}

/** Strata's folder in the person's cache folder. By the XDG base directory rules, a relative path is ignored. */
export function cacheFolder(): string {
  const named = process.env.XDG_CACHE_HOME;
  return join(named !== undefined && isAbsolute(named) ? named : join(homedir(), '.cache'), 'strata');
}
