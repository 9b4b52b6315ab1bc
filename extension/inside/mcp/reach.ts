import { existsSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';
import type { SessionSummary } from '../../sessions/session';

/** Which sessions a server that an agent started may read. */
export interface Reach {
  /** Where the agent works. */
  readonly folder: string;
  readonly home: string;
  /** The person extended it to the sessions of all projects. */
  readonly allProjects: boolean;
}

/** Whether a session belongs to the project for which the server was started. */
export function reaches({ folder, home, allProjects }: Reach): (session: Pick<SessionSummary, 'cwd'>) => boolean {
  if (allProjects) return () => true;
  const project = projectOf(folder, home);
  return ({ cwd }) =>
    cwd !== null && (cwd === project || cwd.startsWith(project.endsWith(sep) ? project : project + sep));
}

/**
 * The repository that contains the folder, or else the folder itself. A repository in the home folder itself does not count as a project.
 */
function projectOf(folder: string, home: string): string {
  for (let each = folder; each !== home && each !== dirname(each); each = dirname(each)) {
    if (existsSync(join(each, '.git'))) return each;
  }
  return folder;
}

/** For the first line of answers. */
export const allProjectsText = 'This server reads the sessions of all projects (--all-projects).';

export function outOfReachText(asked: string, { folder, home }: Reach): string {
  return `No session of ${projectOf(folder, home)} matches "${asked}", and this server reads no others. strata_session without fields lists the newest ones with their ids. The person can widen this for all projects: strata setup --all-projects.`;
}
