import { basename, join } from 'node:path';
import type { UserFolders } from '../../../platform/files/environment';
import * as s from '../../../platform/json/schemas';
import { recordsOf } from '../../../platform/lines/line';
import type { LineFormat, SettingsPlace } from '../../../sessions/adapter';
import { inFolder, inSystem } from '../../../sessions/own-compaction/own-compaction';
import { outlineBy } from '../../../sessions/records/outline';
import { fork } from '../fork/fork';
import { CodexBuilder } from './builder';
import { codexSize } from './own-size';
import { orderOf, rolloutName } from './rollout-names';
import { noRollouts, rolloutsBeside } from './rollouts';
import { subagentsOf } from './subagents';
import { threadsIn } from './thread-locks';

export const codex: LineFormat = {
  kind: 'lines',
  agent: 'codex',
  roots: (environment) => ['sessions', 'archived_sessions'].map((name) => join(codexHome(environment), name)),
  // sessions/<year>/<month>/<day>/rollout-<local time>-<thread id>.jsonl, and archived_sessions/ beside sessions/.
  foldersBelowRoot: 3,
  mayBeSession: (path) => /^rollout-.*\.jsonl$/.test(basename(path)),
  partOf(file) {
    const name = rolloutName(file);
    return name === null ? null : { session: name.thread, order: orderOf(name) };
  },
  recognises,
  // A thread that another thread started is listed under that thread.
  summarise: outlineBy(
    () => new CodexBuilder('', noRollouts),
    ({ parent }) => parent !== undefined,
  ),
  createBuilder: (file) => new CodexBuilder(file, rolloutsBeside(file)),
  occupancy: (environment) => threadsIn(join(codexHome(environment), 'thread-writer-locks')),
  subagentsOf,
  resume: ({ id }) => ['codex', 'resume', id],
  fork,
  ownCompaction: { settingsFiles, size: codexSize },
};

const sessionPayload = s.record({ id: s.name });

export function codexHome({ home, variables }: UserFolders): string {
  return variables.CODEX_HOME || join(home, '.codex');
}

function settingsFiles(place: SettingsPlace): readonly string[] {
  const inProject = inFolder(place, (cwd) => join(cwd, '.codex', 'config.toml'));
  return [...inSystem(place, 'codex', 'config.toml'), join(codexHome(place), 'config.toml'), ...inProject];
}

/** The first record of every Codex file is `session_meta`, unless it was lost. */
function recognises(head: readonly string[]): boolean {
  const [first] = recordsOf(head);
  const { timestamp, type, payload } = s.read(headRecord, first);
  if (type === 'session_meta') return payload !== null && s.read(sessionPayload, payload).id !== null;
  return type !== null && laterTypes.has(type) && timestamp !== null && payload !== null;
}

const headRecord = s.record({ timestamp: s.name, type: s.name, payload: s.jsonRecord });
const laterTypes = new Set([
  'response_item',
  'event_msg',
  'turn_context',
  'world_state',
  'compacted',
  'token_usage_record',
]);
