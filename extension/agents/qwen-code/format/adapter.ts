import { basename, dirname, join } from 'node:path';
import { type AgentEnvironment, type UserFolders, withHome } from '../../../platform/files/environment';
import { occupancyIn, sessionOfProcess } from '../../../platform/files/status-files';
import { recordsOf } from '../../../platform/lines/line';
import type { LineFormat, SettingsPlace } from '../../../sessions/adapter';
import { inFolder, inSystem } from '../../../sessions/own-compaction/own-compaction';
import { outlineBy } from '../../../sessions/records/outline';
import { qwenCodeFork } from '../fork/fork';
import { QwenCodeBuilder } from './builder';
import { qwenCodeSize } from './own-size';
import { type Row, readRow } from './row';
import { subagentsOf } from './subagents';

export const qwenCode: LineFormat = {
  kind: 'lines',
  agent: 'qwen-code',
  roots,
  // projects/<folder the session runs in>/chats/<session id>.jsonl
  foldersBelowRoot: 2,
  mayBeSession: (path) => path.endsWith('.jsonl') && basename(dirname(path)) === 'chats',
  recognises,
  summarise: outlineBy(
    () => new QwenCodeBuilder(''),
    ({ conversation, parent }) => conversation.entries.length === 0 || parent !== undefined,
  ),
  createBuilder: (file) => new QwenCodeBuilder(file),
  // An interactive Qwen Code writes the same status file for its process as Claude Code. Without a terminal it writes none.
  occupancy: (environment) => occupancyIn(folders(environment)),
  sessionOfProcess: async (pid, environment) => {
    const found = await Promise.all(folders(environment).map((folder) => sessionOfProcess(folder, pid)));
    return found.find((id) => id !== null) ?? null;
  },
  subagentsOf,
  resume: ({ id }) => ['qwen', '--resume', id],
  fork: qwenCodeFork,
  ownCompaction: { settingsFiles, size: qwenCodeSize },
};

function roots(environment: AgentEnvironment): string[] {
  return folders(environment).map((folder) => join(folder, 'projects'));
}

/** `QWEN_RUNTIME_DIR` moves the files written at run time. Qwen Code 0.24.4 reads both folders. */
function folders(environment: AgentEnvironment): string[] {
  const { home, variables } = environment;
  const usual = qwenFolder(environment);
  const runtime = variables.QWEN_RUNTIME_DIR;
  return runtime ? [withHome(runtime, home), usual] : [usual];
}

export function qwenFolder({ home, variables }: UserFolders): string {
  return withHome(variables.QWEN_HOME || join(home, '.qwen'), home);
}

function settingsFiles(place: SettingsPlace): readonly string[] {
  const named = place.variables.QWEN_CODE_SYSTEM_SETTINGS_PATH;
  return [
    ...inSystem(place, 'qwen-code', 'system-defaults.json'),
    join(qwenFolder(place), 'settings.json'),
    ...inFolder(place, (cwd) => join(cwd, '.qwen', 'settings.json')),
    ...(named ? [named] : inSystem(place, 'qwen-code', 'settings.json')),
  ];
}

function recognises(head: readonly string[]): boolean {
  for (const record of recordsOf(head)) {
    const row = readRow(record);
    if (isOwnRow(row)) return true;
    // A system row without a payload does not identify the agent.
    if (row.type !== null && row.type !== 'system') return false;
  }
  return false;
}

/** Claude Code's rows have the same fields, but their messages have `content` instead of `parts`. */
function isOwnRow({ uuid, sessionId, type, systemPayload, message }: Row): boolean {
  if (uuid === null || sessionId === null) return false;
  if (type === 'system') return systemPayload !== null;
  const isMessage = type === 'user' || type === 'assistant' || type === 'tool_result';
  return isMessage && Array.isArray(message.parts);
}
