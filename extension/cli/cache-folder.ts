import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';

/** Strata's folder below the person's cache folder, by the XDG base directory rules: a relative path counts for nothing. */
export function cacheFolder(): string {
  const named = process.env.XDG_CACHE_HOME;
  return join(named !== undefined && isAbsolute(named) ? named : join(homedir(), '.cache'), 'strata');
}
