/*
 * Minimal records of pi. A record's id is its name in the test; its parent is the record before it unless the test sets
 * another one.
 */
export type PiRecord = Record<string, unknown>;

export const header: PiRecord = {
  type: 'session',
  version: 3,
  id: 'session',
  timestamp: '2026-01-01T00:00:00.000Z',
  cwd: '/work',
};

export function chained(...records: readonly PiRecord[]): PiRecord[] {
  let parentId: unknown = null;
  const linked = records.map((record) => {
    const child = { parentId, ...record };
    parentId = record.id;
    return child;
  });
  return [header, ...linked];
}

export function message(id: string, fields: PiRecord): PiRecord {
  return { type: 'message', id, message: fields };
}

export const text = (value: string): PiRecord => ({ type: 'text', text: value });
export const thinking = (value: string): PiRecord => ({ type: 'thinking', thinking: value });
export const call = (id: string, name = 'bash'): PiRecord => ({ type: 'toolCall', id, name, arguments: {} });

export function said(id: string, value: string): PiRecord {
  return message(id, { role: 'user', content: [text(value)] });
}

export function replied(id: string, content: readonly PiRecord[], more: PiRecord = {}): PiRecord {
  return message(id, { role: 'assistant', content, model: 'scripted', stopReason: 'stop', ...more });
}

export function answered(id: string, callId: string, value: string): PiRecord {
  return message(id, {
    role: 'toolResult',
    toolCallId: callId,
    toolName: 'bash',
    content: [text(value)],
    isError: false,
  });
}

export function compacted(id: string, firstKeptEntryId: string, more: PiRecord = {}): PiRecord {
  return { type: 'compaction', id, summary: 'a summary', firstKeptEntryId, tokensBefore: 100, ...more };
}
