import { join } from 'node:path';
import { dataFolder } from '../platform/files/data-folder';
import type { UserFolders } from '../platform/files/environment';

/** Files that all programs of Strata share, so that a plugin inside an agent finds them. */
export interface AgentPlaces {
  /** How to reach a Strata that is running. Only this person may read it. */
  readonly running: string;
  /** The journals and settings of the editor, as of its last run. */
  readonly setup: string;
  /** The person's answer, on a terminal, to the question who writes blocks. */
  readonly writer: string;
  /** One file for each session in which a plugin has called. */
  readonly inside: string;
  /** The file that lists what Strata wrote into the agents' configuration, and the previous content. */
  readonly installed: string;
  /** Starts the installed Strata. Its path stays the same when Strata is updated. */
  readonly launcher: string;
  /** Copies of the plugins that are installed in agents, one folder for each agent. */
  readonly plugins: string;
  /** The journals, unless `setup` names other ones. */
  readonly journals: string;
}

export function agentPlaces(environment: UserFolders): AgentPlaces {
  const strata = join(dataFolder(environment), 'strata');
  const folder = join(strata, 'agents');
  return {
    running: join(folder, 'running.json'),
    setup: join(folder, 'setup.json'),
    writer: join(folder, 'writer.json'),
    inside: join(folder, 'inside'),
    installed: join(folder, 'installed.json'),
    launcher: join(folder, 'strata.mjs'),
    plugins: join(folder, 'plugins'),
    journals: join(strata, 'journals'),
  };
}
