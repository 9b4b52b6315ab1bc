import { join } from 'node:path';
import type { AgentEnvironment, StoreFormat, StoreListing } from '../adapter';
import { systemErrorCode } from '../files/with-file';
import { asName } from '../records/json';
import { outlineByManifest } from './cli-listing';
import { CliSessionMaker, cliFilesBeside, isCliSession, isSubagentFile } from './cli-session';
import { clineExtension } from './extension-tasks';
import { listWholeFile } from './listing';
import { type SessionMaker, WholeFilesReading } from './reading';
import { subagentsOf } from './subagents';

/** Sessions of Cline's command line, and tasks of its older extension for VS Code. */
export const cline: StoreFormat = {
  kind: 'store',
  agent: 'cline',
  roots: (environment) => [join(dataFolder(environment), 'sessions'), ...clineExtension.roots(environment)],
  foldersBelowRoot: 1,
  mayBeSession: (path) => isCliSession(path) || clineExtension.mayBeSession(path),
  recognises: (file, beginning) => recognisesCli(file, beginning) || clineExtension.recognises(file, beginning),
  companions: filesBeside,
  rewritesFiles: true,
  list,
  open: (file, key) =>
    key === null
      ? WholeFilesReading.open(file, filesBeside(file), makerOf(file))
      : Promise.resolve({ kind: 'missing', message: `There is no file ${file}#${key}` }),
  subagentsOf,
};

/** The variables are those of Cline 3.0.65. */
function dataFolder({ home, variables }: AgentEnvironment): string {
  return asName(variables.CLINE_DATA_DIR) ?? join(asName(variables.CLINE_DIR) ?? join(home, '.cline'), 'data');
}

function recognisesCli(file: string, beginning: Buffer): boolean {
  const text = beginning.toString('utf8').trimStart();
  if (!text.startsWith('{') || !isCliSession(file)) return false;
  return /"messages"\s*:/.test(text) || /"sessionId"\s*:/.test(text);
}

function filesBeside(file: string): string[] {
  return isCliSession(file) ? Object.values(cliFilesBeside(file)) : clineExtension.companions(file);
}

function makerOf(file: string): SessionMaker {
  return isCliSession(file) ? new CliSessionMaker(file, isRunning) : clineExtension.maker(file);
}

async function list(file: string): Promise<StoreListing> {
  const outline = isCliSession(file) ? await outlineByManifest(file, isRunning) : null;
  if (outline !== null) return { sessions: [outline], issues: [] };
  const listing = await listWholeFile(file, filesBeside(file), makerOf(file));
  if (!isSubagentFile(file)) return listing;
  return { ...listing, sessions: listing.sessions.map((session) => ({ ...session, isUnlisted: true })) };
}

/** Signal 0 asks whether there is such a process. One that belongs to somebody else is there, too. */
function isRunning(pid: number): boolean {
  if (!Number.isInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return systemErrorCode(error) === 'EPERM';
  }
}
