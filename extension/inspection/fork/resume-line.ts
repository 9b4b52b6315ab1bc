import type { Fork } from './fork-session';

/** A command for a POSIX shell that goes on with a session, in the folder that it is about. */
export function resumeLine({ cwd, command }: Pick<Fork, 'cwd' | 'command'>): string {
  const words = command.map(quoted).join(' ');
  return cwd === null ? words : `cd ${quoted(cwd)} && ${words}`;
}

/** Nothing in a quoted word means anything to the shell. */
export function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
