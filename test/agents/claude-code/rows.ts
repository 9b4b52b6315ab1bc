/*
 * Minimal rows of Claude Code. A row's uuid is its name in the test; its parent is the row before it unless the test
 * sets another one.
 */
export type Row = Record<string, unknown>;

export function chained(...rows: readonly Row[]): Row[] {
  let parentUuid: unknown = null;
  return rows.map((row) => {
    const linked: Row = { parentUuid, sessionId: 'session', ...row };
    if (linked.isSidechain !== true) parentUuid = row.uuid ?? parentUuid;
    return linked;
  });
}

export function said(uuid: string, content: unknown, more: Row = {}): Row {
  return { type: 'user', uuid, message: { role: 'user', content }, ...more };
}

export function replied(uuid: string, content: readonly unknown[], more: Row = {}): Row {
  const message = { id: `msg_${uuid}`, role: 'assistant', model: 'claude-opus-5-5', content };
  return { type: 'assistant', uuid, message, ...more };
}

/** A further row of a reply that began in another one. */
export function repliedOn(uuid: string, first: string, content: readonly unknown[], more: Row = {}): Row {
  return { ...replied(first, content, more), uuid };
}

export const text = (value: string): Row => ({ type: 'text', text: value });
export const thinking = (value: string): Row => ({ type: 'thinking', thinking: value, signature: 'c2ln' });
export const call = (id: string, name = 'Bash'): Row => ({ type: 'tool_use', id, name, input: {} });

export function answered(uuid: string, callId: string, content: unknown, more: Row = {}): Row {
  return said(uuid, [{ type: 'tool_result', tool_use_id: callId, content }], more);
}

export function attached(
  uuid: string,
  role: 'user' | 'system',
  value: string,
  attachment: Row = { type: 'date' },
): Row {
  const content = `<system-reminder>\n${value}\n</system-reminder>`;
  return { type: 'attachment', uuid, attachment, rendered: [{ content }], renderedRole: role };
}

export function noted(uuid: string, subtype: string, more: Row = {}): Row {
  return { type: 'system', uuid, subtype, ...more };
}

export function compacted(uuid: string, logicalParentUuid: string, compactMetadata: Row): Row {
  return { ...noted(uuid, 'compact_boundary', { logicalParentUuid, compactMetadata }), parentUuid: null };
}
