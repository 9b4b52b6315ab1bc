import { dirname, join, resolve } from 'node:path';

const ownPrograms = resolve(import.meta.dirname, '..', '..', 'node_modules', '.bin');

/** Programs that agents find. The Node.js of this project comes first, because it is new enough for all of them. */
export const searchPath = [ownPrograms, dirname(process.execPath), '/usr/local/bin', '/usr/bin', '/bin'].join(':');

/** All environment variables of an agent. They contain nothing of the person's own agents, keys or settings. */
export function variablesFor(home: string): Record<string, string> {
  return {
    PATH: searchPath,
    HOME: home,
    TMPDIR: join(home, 'tmp'),
    LANG: 'C.UTF-8',
    TERM: 'dumb',
    NO_COLOR: '1',
    CI: '1',
  };
}
