import type { ContextMessage } from '../../../extension/engine/conversation/context';
import type { Alteration, MessageFormat } from '../../../extension/middleware/formats/format';
import type { ResultFate } from '../../../extension/middleware/recognition/outgoing';
import type * as s from '../../../extension/platform/json/schemas';

/** The only group of these messages, altered by leaving out a part of its content. */
export function altered(
  format: MessageFormat<s.JsonRecord>,
  messages: s.JsonRecord[],
  fates: Record<string, ResultFate>,
  keepsRest = true,
): readonly s.JsonRecord[] {
  const groups = format.groupsOf(messages);
  const [group] = groups;
  if (!group || groups.length > 1) throw new Error(`There are ${groups.length} groups`);
  const alteration: Alteration = { results: new Map(Object.entries(fates)), keepsRest };
  return format.altered(group, alteration);
}

export const replaced: ResultFate = { kind: 'replaced' };
export const pruned: ResultFate = { kind: 'pruned', text: '[PRUNED]' };

export function saidIn(format: MessageFormat<s.JsonRecord>, ...messages: s.JsonRecord[]) {
  return format.groupsOf(messages).map(({ said }) => said);
}

export function made(role: ContextMessage['role'], text: string): ContextMessage {
  const about = { key: 'block:1', kind: 'summary', entryIds: [], tokens: 1, timestamp: null, injected: false } as const;
  return { ...about, role, parts: [{ type: 'text', text }] };
}
