import { basename, dirname, join } from 'node:path';
import type { UserFolders } from '../../../platform/files/environment';
import { textOf } from '../../../platform/files/text-of';
import { parsedJson } from '../../../platform/json/json-text';
import * as s from '../../../platform/json/schemas';
import { recordsOf } from '../../../platform/lines/line';
import type { LineFormat, SettingsPlace } from '../../../sessions/adapter';
import { inFolder, inSystem } from '../../../sessions/own-compaction/own-compaction';
import { outlineBy } from '../../../sessions/records/outline';
import { startOf } from '../../../sessions/records/whole-file-session';
import { GeminiCliBuilder } from './builder';
import { geminiCliSize } from './own-size';
import { subagentsOf } from './subagents';

export const geminiCli: LineFormat = {
  kind: 'lines',
  agent: 'gemini-cli',
  roots: (environment) => [join(geminiFolder(environment), 'tmp')],
  // tmp/<name of the project>/chats/session-<minute>-<first 8 of the id>.jsonl
  foldersBelowRoot: 2,
  mayBeSession: (path) => /^session-.*\.jsonl?$/.test(basename(path)) && basename(dirname(path)) === 'chats',
  recognises,
  // Resuming creates a second file that stays without prompts while the session continues in the first one.
  summarise: outlineBy(
    () => new GeminiCliBuilder(''),
    ({ conversation, parent }) => parent !== undefined || conversation.entries.every((entry) => entry.injected),
  ),
  folderOf: projectFolder,
  createBuilder: (file) => new GeminiCliBuilder(file),
  subagentsOf,
  resume: ({ id }) => ['gemini', '--resume', id],
  ownCompaction: { settingsFiles, size: geminiCliSize },
};

export function geminiFolder({ home, variables }: UserFolders): string {
  return join(variables.GEMINI_CLI_HOME || home, '.gemini');
}

function settingsFiles(place: SettingsPlace): readonly string[] {
  const named = place.variables.GEMINI_CLI_SYSTEM_SETTINGS_PATH;
  return [
    ...inSystem(place, 'gemini-cli', 'system-defaults.json'),
    join(geminiFolder(place), 'settings.json'),
    ...inFolder(place, (cwd) => join(cwd, '.gemini', 'settings.json')),
    ...(named ? [named] : inSystem(place, 'gemini-cli', 'settings.json')),
  ];
}

const header = s.record({ sessionId: s.name, projectHash: s.name });
const change = s.record({ $set: s.record({ messages: s.list }) });
const message = s.record({ id: s.name, timestamp: s.name, type: s.name, content: s.anything });

/** The first record of every log is its header, unless it was lost. */
function recognises(head: readonly string[]): boolean {
  const start = startOf(head, /^ {2}"(\w+)":/);
  if (start.kind === 'pretty') return start.names.includes('sessionId') && start.names.includes('projectHash');
  for (const record of recordsOf(head)) {
    const { sessionId, projectHash } = s.read(header, record);
    if (sessionId !== null && projectHash !== null) return true;
    const { $set } = s.read(change, record);
    if ([record, ...$set.messages].some(isMessage)) return true;
    // Other changes say nothing about the agent.
    if (record.$set === undefined) return false;
  }
  return false;
}

function isMessage(record: unknown): boolean {
  const { id, timestamp, type, content } = s.read(message, record);
  return id !== null && timestamp !== null && content !== undefined && (type === 'user' || type === 'gemini');
}

const projectsFile = s.record({ projects: s.jsonRecord });

/**
 * The working folder of a session. `tmp/<project name>/.project_root` contains its path; `projects.json`, next to `tmp`,
 * maps the paths of all projects to their names.
 */
async function projectFolder(file: string): Promise<string | null> {
  const project = projectOf(file);
  if (project === null) return null;
  const root = (await textOf(join(project, '.project_root')))?.trim() ?? '';
  return root === '' ? await listedFolder(project) : root;
}

/** The file of a subagent is one folder deeper. */
function projectOf(file: string): string | null {
  const folder = dirname(file);
  if (basename(folder) === 'chats') return dirname(folder);
  return basename(dirname(folder)) === 'chats' ? dirname(dirname(folder)) : null;
}

async function listedFolder(project: string): Promise<string | null> {
  const text = await textOf(join(dirname(dirname(project)), 'projects.json'));
  const { projects } = s.read(projectsFile, parsedJson(text ?? ''));
  return (
    Object.entries(projects ?? {}).find(([folder, name]) => folder !== '' && name === basename(project))?.[0] ?? null
  );
}
