import { basename, join } from 'node:path';
import type { AgentEnvironment, LineFormat, SessionOutline } from '../adapter';
import { sessionsInUse } from '../files/status-files';
import { asName, asRecord, type JsonRecord } from '../records/json';
import { readLine } from '../records/line';
import { outlineOf } from '../records/outline';
import { ClaudeCodeBuilder } from './builder';
import { claudeCodeFork } from './fork/fork';
import { subagentsOf } from './subagents';

export const claudeCode: LineFormat = {
  kind: 'lines',
  agent: 'claude-code',
  roots: (environment) => [join(configFolder(environment), 'projects')],
  // projects/<folder the session runs in>/<session id>.jsonl. Subagents lie deeper, in the session's own folder.
  foldersBelowRoot: 1,
  mayBeSession,
  recognises,
  summarise: (head, tail): SessionOutline => outlineOf(new ClaudeCodeBuilder(''), head, tail),
  createBuilder: (file) => new ClaudeCodeBuilder(file),
  sessionsInUse: (environment) => sessionsInUse(configFolder(environment)),
  subagentsOf,
  resume: ({ id }) => ['claude', '--resume', id],
  fork: claudeCodeFork,
};

function configFolder({ home, variables }: AgentEnvironment): string {
  return asName(variables.CLAUDE_CONFIG_DIR) ?? join(home, '.claude');
}

function mayBeSession(path: string): boolean {
  const name = basename(path);
  // Versions before 2.1 kept subagents beside the sessions, as agent-<id>.jsonl.
  return name.endsWith('.jsonl') && !name.startsWith('agent-') && !/[\\/]subagents[\\/]/.test(path);
}

function recognises(head: readonly string[]): boolean {
  let looksLikeState = false;
  for (const [index, text] of head.entries()) {
    const reading = readLine({ number: index + 1, text });
    if (reading.kind !== 'record') continue;
    const verdict = verdictOn(reading.record);
    if (verdict === 'conversation') return true;
    if (verdict === 'other') return false;
    looksLikeState ||= verdict === 'state';
  }
  return looksLikeState;
}

/** Qwen Code has rows of the same outline; its messages have `parts` where these have `content`. */
function verdictOn(record: JsonRecord): 'conversation' | 'state' | 'other' | 'open' {
  const type = asName(record.type);
  if (type === null) return 'open';
  if ((type === 'user' || type === 'assistant') && asName(record.uuid) !== null) {
    const content = asRecord(record.message)?.content;
    return typeof content === 'string' || Array.isArray(content) ? 'conversation' : 'other';
  }
  if (type === 'attachment' && asName(record.uuid) !== null && asRecord(record.attachment) !== null)
    return 'conversation';
  return isState(record, type) ? 'state' : 'open';
}

/** Records that come before the first row of a conversation, or stand alone in a file without one. */
function isState(record: JsonRecord, type: string): boolean {
  if (type === 'summary') return asName(record.leafUuid) !== null;
  if (type === 'file-history-snapshot') return asName(record.messageId) !== null;
  if (type === 'system') return asName(record.uuid) !== null && record.systemPayload === undefined;
  return asName(record.sessionId) !== null && stateTypes.has(type);
}

const stateTypes = new Set(['queue-operation', 'last-prompt', 'mode', 'permission-mode', 'custom-title', 'ai-title']);
