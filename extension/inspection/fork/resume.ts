import { isAbsolute } from 'node:path';
import { adapterOf } from '../../sessions/adapters';
import { agentNames, type Session } from '../../sessions/session';
import { OperationRefused } from '../inspection';

/** The form of ids that agents create. An id comes from a session file and becomes a word of a shell command. */
const soundId = /^[A-Za-z0-9][\w.-]*$/;
/** Characters that a shell interprets even between quotes when they are typed into it. */
const control = /\p{Cc}|[\u2028\u2029]/u;

export interface ResumeCommand {
  /** An absolute path; null if unknown. */
  readonly cwd: string | null;
  readonly command: readonly string[];
}

type ResumableSession = Pick<Session, 'agent' | 'id' | 'file' | 'cwd' | 'parent'>;

/**
 * The command that resumes a session. Throws `OperationRefused` if the session file's id or path has unusual characters: a shell could run
 * it, or the agent could take it as an option.
 */
export function resumeCommand(session: ResumableSession): ResumeCommand {
  const { agent, id, file, cwd, parent } = session;
  const command = parent ? undefined : adapterOf(agent).resume?.({ id, file });
  if (!command) throw new OperationRefused('{0} has no command to resume this session.', [agentNames[agent]]);
  if ((command.includes(id) && !soundId.test(id)) || command.some((word) => control.test(word))) {
    throw new OperationRefused('The session id in {0} does not have the form of {1}, so there is no command for it.', [
      file,
      agentNames[agent],
    ]);
  }
  const isSound = cwd !== null && isAbsolute(cwd) && !control.test(cwd);
  return { cwd: isSound ? cwd : null, command };
}

/** Whether there is a command to resume it. */
export function canResume(session: ResumableSession): boolean {
  return session.parent === undefined && adapterOf(session.agent).resume !== undefined && soundId.test(session.id);
}

/**
 * The command as a line for a shell; for those of Windows two lines: cmd.exe has no `;`, Windows PowerShell no `&&`, and only
 * `pushd` changes the drive in both. Throws `OperationRefused` if no quoting works in every shell of the system. */
export function resumeLine({ cwd, command }: ResumeCommand, platform: NodeJS.Platform = process.platform): string {
  const words = command.map((word) => quoted(word, platform)).join(' ');
  if (cwd === null) return words;
  const folder = quoted(cwd, platform);
  return platform === 'win32' ? `pushd ${folder}\n${words}` : `cd ${folder} && ${words}`;
}

function quoted(word: string, platform: NodeJS.Platform): string {
  if (platform === 'win32') {
    if (/^[\w@+=:,./\\-]+$/.test(word)) return word;
    // Between double quotes, PowerShell interprets $ and `, and cmd.exe interprets %.
    if (!/["%$`!]/.test(word)) return `"${word}"`;
  } else {
    if (/^[\w@%+=:,./-]+$/.test(word)) return word;
    // Between single quotes, fish interprets a backslash differently from other shells.
    if (!word.includes('\\')) return `'${word.replaceAll("'", "'\\''")}'`;
  }
  throw new OperationRefused('{0} cannot be quoted for every shell.', [word]);
}
