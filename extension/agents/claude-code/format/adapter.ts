import { basename, join } from 'node:path';
import type { UserFolders } from '../../../platform/files/environment';
import { occupancyIn, sessionOfProcess } from '../../../platform/files/status-files';
import * as s from '../../../platform/json/schemas';
import { recordsOf } from '../../../platform/lines/line';
import type { LineFormat, SettingsPlace } from '../../../sessions/adapter';
import { inFolder, inSystem } from '../../../sessions/own-compaction/own-compaction';
import { outlineBy } from '../../../sessions/records/outline';
import { claudeCodeFork } from '../fork/fork';
import { ClaudeCodeBuilder } from './builder';
import { claudeCodeSize } from './own-size';
import { subagentsOf } from './subagents';
import { lineForWindow } from './working-window';

export const claudeCode: LineFormat = {
  kind: 'lines',
  agent: 'claude-code',
  roots: (environment) => [join(claudeFolder(environment), 'projects')],
  // projects/<encoded working folder>/<session id>.jsonl. Subagents lie deeper, in the session's own folder.
  foldersBelowRoot: 1,
  mayBeSession,
  recognises,
  summarise: outlineBy(() => new ClaudeCodeBuilder('')),
  lineFor: lineForWindow,
  createBuilder: (file) => new ClaudeCodeBuilder(file),
  occupancy: (environment) => occupancyIn([claudeFolder(environment)]),
  sessionOfProcess: (pid, environment) => sessionOfProcess(claudeFolder(environment), pid),
  sessionVariable: 'CLAUDE_CODE_SESSION_ID',
  subagentsOf,
  resume: ({ id }) => ['claude', '--resume', id],
  fork: claudeCodeFork,
  ownCompaction: { settingsFiles, size: claudeCodeSize },
};

export function claudeFolder({ home, variables }: UserFolders): string {
  return variables.CLAUDE_CONFIG_DIR || join(home, '.claude');
}

/** `/config` writes the first file, `/autocompact` the second. An organisation's settings win over all others. */
function settingsFiles(place: SettingsPlace): readonly string[] {
  const { home, variables } = place;
  return [
    join(variables.CLAUDE_CONFIG_DIR || home, '.claude.json'),
    join(claudeFolder(place), 'settings.json'),
    ...inFolder(place, (cwd) => join(cwd, '.claude', 'settings.json')),
    ...inFolder(place, (cwd) => join(cwd, '.claude', 'settings.local.json')),
    ...inSystem(place, 'claude-code', 'managed-settings.json'),
  ];
}

function mayBeSession(path: string): boolean {
  const name = basename(path);
  // Versions before 2.1 kept subagents beside the sessions, as agent-<id>.jsonl.
  return name.endsWith('.jsonl') && !name.startsWith('agent-') && !/[\\/]subagents[\\/]/.test(path);
}

function recognises(head: readonly string[]): boolean {
  let looksLikeState = false;
  for (const record of recordsOf(head)) {
    const verdict = verdictOn(s.read(headRecord, record));
    if (verdict === 'conversation') return true;
    if (verdict === 'other') return false;
    looksLikeState ||= verdict === 'state';
  }
  return looksLikeState;
}

const headRecord = s.record({
  type: s.name,
  uuid: s.name,
  message: s.record({ content: s.anything }),
  attachment: s.jsonRecord,
  leafUuid: s.name,
  messageId: s.name,
  sessionId: s.name,
  systemPayload: s.anything,
});

type HeadRecord = s.Read<typeof headRecord>;

/** Qwen Code has rows with the same fields; its messages have `parts` instead of `content`. */
function verdictOn(record: HeadRecord): 'conversation' | 'state' | 'other' | 'open' {
  const { type, uuid, message, attachment } = record;
  if ((type === 'user' || type === 'assistant') && uuid !== null) {
    return typeof message.content === 'string' || Array.isArray(message.content) ? 'conversation' : 'other';
  }
  if (type === 'attachment' && uuid !== null && attachment !== null) return 'conversation';
  return isState(record) ? 'state' : 'open';
}

/** Records that precede the first row of a conversation, or are alone in a file without one. */
function isState({ type, uuid, leafUuid, messageId, sessionId, systemPayload }: HeadRecord): boolean {
  if (type === 'summary') return leafUuid !== null;
  if (type === 'file-history-snapshot') return messageId !== null;
  if (type === 'system') return uuid !== null && systemPayload === undefined;
  return sessionId !== null && type !== null && stateTypes.has(type);
}

const stateTypes = new Set(['queue-operation', 'last-prompt', 'mode', 'permission-mode', 'custom-title', 'ai-title']);
