import type { Part, Role } from '../../../extension/engine/conversation/entry';
import type {
  EntryRecord,
  HeaderRecord,
  LeafRecord,
  PieceRecord,
  SystemRecord,
  WrittenEntry,
} from '../../../extension/sessions/strata/records';

/** Small pictures of Strata's own conversations. */

const time = '2026-09-01T10:00:00.000Z';

export const header: HeaderRecord = {
  type: 'strata-conversation',
  version: 1,
  id: 'conversation-1',
  time,
  cwd: '/home/anna/app',
  madeBy: 'chat',
};

export function written(id: string, role: Role, ...parts: readonly Part[]): WrittenEntry {
  return { id, role, parts, timestamp: time };
}

export function said(id: string, parent: string | null, text: string): EntryRecord {
  return { type: 'entry', parent, entry: written(id, 'user', { type: 'text', text }) };
}

export function replied(id: string, parent: string | null, ...parts: readonly (Part | string)[]): EntryRecord {
  const all = parts.map((part): Part => (typeof part === 'string' ? { type: 'text', text: part } : part));
  return { type: 'entry', parent, entry: written(id, 'assistant', ...all) };
}

export function call(callId: string): Part {
  return { type: 'tool_call', callId, name: 'read', input: { path: callId } };
}

export function result(id: string, parent: string | null, callId: string, text: string): EntryRecord {
  const part: Part = { type: 'tool_result', callId, name: 'read', text, isError: false };
  return { type: 'entry', parent, entry: written(id, 'tool', part) };
}

export function piece(
  id: string,
  parent: string | null,
  text: string,
  type: 'text' | 'reasoning' = 'text',
): PieceRecord {
  return { type: 'piece', parent, id, time, part: { type, text } };
}

export function system(id: string, text: string): SystemRecord {
  return { type: 'system', entry: written(id, 'system', { type: 'text', text }) };
}

export function leaf(id: string | null): LeafRecord {
  return { type: 'leaf', id };
}

export function ended(outcome: 'answered' | 'cancelled' | 'failed') {
  return { type: 'turn-ended', time, outcome } as const;
}
