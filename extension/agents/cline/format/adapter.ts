import { join } from 'node:path';
import type { AgentEnvironment } from '../../../platform/files/environment';
import { isRunning } from '../../../platform/files/running-process';
import type { StoreFormat, StoreListing } from '../../../sessions/adapter';
import { outlineFromManifest } from './cli-listing';
import { CliSessionBuilder, cliSidecars, isCliSession, isSubagentFile } from './cli-session';
import { clineExtension } from './extension-tasks';
import { listWholeFile } from './listing';
import { type WholeFileBuilder, WholeFileReading } from './reading';
import { subagentsOf } from './subagents';

/** Sessions of Cline's command line, and tasks of its older VS Code extension. */
export const cline: StoreFormat = {
  kind: 'store',
  agent: 'cline',
  roots: (environment) => [join(dataFolder(environment), 'sessions'), ...clineExtension.roots(environment)],
  foldersBelowRoot: 1,
  mayBeSession: (path) => isCliSession(path) || clineExtension.mayBeSession(path),
  recognises: (file, beginning) => recognisesCli(file, beginning) || clineExtension.recognises(file, beginning),
  companions: sidecarsOf,
  rewritesFiles: true,
  list,
  open: (file, key) => WholeFileReading.open(file, key, sidecarsOf(file), builderOf(file)),
  subagentsOf,
};

/** The variables are those of Cline 3.0.65. */
function dataFolder({ home, variables }: AgentEnvironment): string {
  return variables.CLINE_DATA_DIR || join(variables.CLINE_DIR || join(home, '.cline'), 'data');
}

function recognisesCli(file: string, beginning: Buffer): boolean {
  const text = beginning.toString('utf8').trimStart();
  if (!text.startsWith('{') || !isCliSession(file)) return false;
  return /"messages"\s*:/.test(text) || /"sessionId"\s*:/.test(text);
}

function sidecarsOf(file: string): string[] {
  return isCliSession(file) ? Object.values(cliSidecars(file)) : clineExtension.companions(file);
}

function builderOf(file: string): WholeFileBuilder {
  return isCliSession(file) ? new CliSessionBuilder(file, isRunning) : clineExtension.builder(file);
}

async function list(file: string): Promise<StoreListing> {
  const outline = isCliSession(file) ? await outlineFromManifest(file, isRunning) : null;
  if (outline !== null) return { sessions: [outline], issues: [] };
  const listing = await listWholeFile(file, sidecarsOf(file), builderOf(file));
  if (!isSubagentFile(file)) return listing;
  return { ...listing, sessions: listing.sessions.map((session) => ({ ...session, isUnlisted: true })) };
}
