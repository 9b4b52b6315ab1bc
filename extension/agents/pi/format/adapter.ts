import { basename, join } from 'node:path';
import { type AgentEnvironment, type UserFolders, withHome } from '../../../platform/files/environment';
import * as s from '../../../platform/json/schemas';
import { recordsOf } from '../../../platform/lines/line';
import type { LineFormat, SettingsPlace } from '../../../sessions/adapter';
import { inFolder } from '../../../sessions/own-compaction/own-compaction';
import { outlineBy } from '../../../sessions/records/outline';
import { piFork } from '../fork/fork';
import { PiBuilder } from './builder';
import { piSize } from './own-size';

export const pi: LineFormat = {
  kind: 'lines',
  agent: 'pi',
  roots,
  // sessions/--<working folder>--/<time>_<id>.jsonl, or the files alone in a folder that a person chose.
  foldersBelowRoot: 3,
  mayBeSession: (path) => basename(path).endsWith('.jsonl'),
  recognises,
  summarise: outlineBy(() => new PiBuilder('')),
  createBuilder: (file) => new PiBuilder(file),
  resume: ({ file }) => ['pi', '--session', file],
  fork: piFork,
  ownCompaction: { settingsFiles, size: piSize },
};

/** The variables are documented in pi's environment-variables page, version 0.87.1. */
function roots(environment: AgentEnvironment): string[] {
  const { home, variables } = environment;
  const chosen = variables.PI_CODING_AGENT_SESSION_DIR;
  const usual = join(piFolder(environment), 'sessions');
  return chosen ? [withHome(chosen, home), usual] : [usual];
}

function settingsFiles(place: SettingsPlace): readonly string[] {
  const inProject = inFolder(place, (cwd) => join(cwd, '.pi', 'settings.json'));
  return [join(piFolder(place), 'settings.json'), ...inProject];
}

export function piFolder({ home, variables }: UserFolders): string {
  return withHome(variables.PI_CODING_AGENT_DIR || join(home, '.pi', 'agent'), home);
}

const firstRecord = s.record({
  type: s.name,
  id: s.name,
  parentId: s.anything,
  timestamp: s.name,
  message: s.record({ role: s.name }),
});
const roles: ReadonlySet<string | null> = new Set(['system', 'user', 'assistant', 'toolResult']);
const laterTypes: ReadonlySet<string | null> = new Set([
  'model_change',
  'thinking_level_change',
  'compaction',
  'branch_summary',
  'custom_message',
  'session_info',
]);

/** The first record of every session is a header with an id, unless it was lost or a program wrote only the messages. */
function recognises(head: readonly string[]): boolean {
  const [first] = recordsOf(head);
  const { type, id, parentId, timestamp, message } = s.read(firstRecord, first);
  if (type === 'message') return roles.has(message.role);
  const isRecord = type === 'session' || (laterTypes.has(type) && parentId !== undefined);
  return isRecord && id !== null && timestamp !== null;
}
