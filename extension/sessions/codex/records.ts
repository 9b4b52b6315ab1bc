import * as s from '../records/schemas';
import { shownInput } from '../records/tool-input';

const typedRecord = s.record({ type: s.name, payload: s.record({ type: s.name }) });
const namedItem = s.record({ id: s.name, call_id: s.name, type: s.name, role: s.name, content: s.anything });

/** How a record counts that is no part of the conversation. */
export function kindOf(record: s.JsonRecord): string {
  const { type, payload } = s.read(typedRecord, record);
  const hasKinds = (type === 'event_msg' || type === 'response_item') && payload.type !== null;
  return hasKinds ? `${type}/${payload.type}` : (type ?? 'no type');
}

/** What tells an item from others, also where a compaction repeats it; null where nothing does. */
export function keyOf(item: s.JsonRecord): string | null {
  const { id, call_id: callId, type, role, content } = s.read(namedItem, item);
  if (id !== null) return id;
  if (callId !== null) return `${type} ${callId}`;
  // Versions before 0.16x gave their own messages no ids.
  return type === 'message' && canBeWritten(content) ? `${role} ${JSON.stringify(content)}` : null;
}

const tooDeepText = '[What stands here is nested too deeply to be shown.]';

/** What Strata has no words for, as JSON. A parser takes any depth, but to write it again takes a call for each level. */
export function jsonText(value: object): string {
  return canBeWritten(value) ? JSON.stringify(value) : tooDeepText;
}

function canBeWritten(value: unknown): boolean {
  return shownInput(value) === value;
}
