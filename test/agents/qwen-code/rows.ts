/*
 * Minimal Qwen Code rows. A row's id is its name in the test; its parent is the previous row unless the test sets
 * another one.
 */
export type QwenRow = Record<string, unknown>;

export function chained(...rows: readonly QwenRow[]): QwenRow[] {
  let parentUuid: unknown = null;
  return rows.map((row) => {
    const child = { parentUuid, sessionId: 'session', cwd: '/work', ...row };
    parentUuid = row.uuid;
    return child;
  });
}

export const text = (value: string): QwenRow => ({ text: value });
export const thought = (value: string): QwenRow => ({ text: value, thought: true });
export const call = (id: string | undefined, name = 'shell'): QwenRow => ({ functionCall: { id, name, args: {} } });

export function result(id: string | undefined, output: string, name = 'shell'): QwenRow {
  return { functionResponse: { id, name, response: { output } } };
}

export function said(uuid: string, ...parts: readonly (QwenRow | string)[]): QwenRow {
  const written = parts.map((part) => (typeof part === 'string' ? text(part) : part));
  return { type: 'user', uuid, provenance: 'real_user', message: { role: 'user', parts: written } };
}

export function replied(uuid: string, ...parts: readonly QwenRow[]): QwenRow {
  return { type: 'assistant', uuid, model: 'scripted', message: { role: 'model', parts } };
}

export function answered(uuid: string, ...parts: readonly QwenRow[]): QwenRow {
  return { type: 'tool_result', uuid, message: { role: 'user', parts } };
}

export function notified(uuid: string, value: string): QwenRow {
  return { ...said(uuid, value), provenance: 'system', subtype: 'notification' };
}

export function system(uuid: string, subtype: string, systemPayload: unknown = {}): QwenRow {
  return { type: 'system', uuid, subtype, systemPayload };
}

export const fromUser = (...parts: readonly QwenRow[]): QwenRow => ({ role: 'user', parts });
export const fromModel = (...parts: readonly QwenRow[]): QwenRow => ({ role: 'model', parts });

export function compressed(uuid: string, ...compressedHistory: readonly QwenRow[]): QwenRow {
  const info = { originalTokenCount: 900, newTokenCount: 100, triggerReason: 'manual' };
  return system(uuid, 'chat_compression', { info, compressedHistory });
}
