import { isAbsolute } from 'node:path';
import { adapterOf } from '../../sessions/adapters';
import { agentNames, type Session } from '../../sessions/session';
import { OperationRefused } from '../inspection';

/** An id as agents make them. A session file decides on it, and it becomes a word of a command. */
const soundId = /^[A-Za-z0-9][\w.-]*$/;
/** A shell acts on these even between quotes when they are typed into it. */
const control = /\p{Cc}|[\u2028\u2029]/u;

export interface ResumeCommand {
  /** An absolute path; null where nobody tells. */
  readonly cwd: string | null;
  readonly command: readonly string[];
}

type ResumableSession = Pick<Session, 'agent' | 'id' | 'file' | 'cwd' | 'parent'>;

/**
 * The command that goes on with a session. Refused where what the session file says of itself is no plain id or path:
 * it would be run by a shell, or be taken as an option.
 */
export function resumeCommand(session: ResumableSession): ResumeCommand {
  const { agent, id, file, cwd, parent } = session;
  const command = parent ? undefined : adapterOf(agent).resume?.({ id, file });
  if (!command) throw new OperationRefused('{0} has no command to resume this session.', [agentNames[agent]]);
  if ((command.includes(id) && !soundId.test(id)) || command.some((word) => control.test(word))) {
    throw new OperationRefused('The session id in {0} is not one of {1}, so no command is made from it.', [
      file,
      agentNames[agent],
    ]);
  }
  const isSound = cwd !== null && isAbsolute(cwd) && !control.test(cwd);
  return { cwd: isSound ? cwd : null, command };
}

/** Whether there is such a command at all. */
export function canResume(session: ResumableSession): boolean {
  return session.parent === undefined && adapterOf(session.agent).resume !== undefined && soundId.test(session.id);
}

/** The command as a line for a shell. Throws `OperationRefused` where no quoting holds in every shell of the system. */
export function resumeLine({ cwd, command }: ResumeCommand, platform: NodeJS.Platform = process.platform): string {
  const words = command.map((word) => quoted(word, platform)).join(' ');
  return cwd === null ? words : `cd ${quoted(cwd, platform)} && ${words}`;
}

function quoted(word: string, platform: NodeJS.Platform): string {
  if (platform === 'win32') {
    if (/^[\w@+=:,./\\-]+$/.test(word)) return word;
    // Between double quotes, PowerShell reads $ and `, and cmd.exe reads %.
    if (!/["%$`!]/.test(word)) return `"${word}"`;
  } else {
    if (/^[\w@%+=:,./-]+$/.test(word)) return word;
    // Between single quotes, fish reads a backslash otherwise than other shells.
    if (!word.includes('\\')) return `'${word.replaceAll("'", "'\\''")}'`;
  }
  throw new OperationRefused('{0} cannot be quoted for every shell.', [word]);
}
