import * as v from 'valibot';
import { toolNames } from '../../inspection/tools/tool-names';
import { processEnvironment, type UserFolders } from '../../platform/files/environment';
import { type AgentId, agentNames } from '../../sessions/session';
import { agentPlaces } from '../places';
import { readPrivate, writePrivate } from '../private-file';
import type { ConfigurationEdit } from './agent-setup';

/** Strata's changes to one file. */
export interface InstalledFile {
  readonly file: string;
  /** The previous content, in base64; null if there was no file. */
  readonly before: string | null;
  /** The bytes after, in base64. */
  readonly after: string;
  readonly edits: readonly ConfigurationEdit[];
  /** Folders that were created for it, outermost first. */
  readonly folders: readonly string[];
}

export type Installed = Readonly<Partial<Record<AgentId, readonly InstalledFile[]>>>;

const isAgent = (id: unknown): id is AgentId => typeof id === 'string' && Object.hasOwn(agentNames, id);

const installedFile = v.object({
  file: v.string(),
  before: v.nullable(v.string()),
  after: v.string(),
  edits: v.array(v.custom<ConfigurationEdit>((edit) => typeof edit === 'object' && edit !== null && 'kind' in edit)),
  folders: v.array(v.string()),
});

const installedRecord = v.object({
  version: v.literal(1),
  agents: v.record(v.custom<AgentId>(isAgent), v.array(installedFile)),
});

export async function readInstalled(path: string): Promise<Installed> {
  return (await readPrivate(path, installedRecord))?.agents ?? {};
}

export async function writeInstalled(path: string, agents: Installed): Promise<void> {
  await writePrivate(path, { version: 1, agents });
}

/** The tool by which the agent retrieves what compactions leave out: that of Strata's server, if `strata setup` added it. */
export async function recallToolOf(
  agent: AgentId,
  environment: UserFolders = processEnvironment(),
): Promise<string | undefined> {
  const { [agent]: files = [] } = await readInstalled(agentPlaces(environment).installed);
  return files.length > 0 ? toolNames.recall : undefined;
}
