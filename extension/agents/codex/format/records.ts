import * as s from '../../../platform/json/schemas';
import { shownInput } from '../../../sessions/records/tool-input';

const typedRecord = s.record({ type: s.name, payload: s.record({ type: s.name }) });
const namedItem = s.record({ id: s.name, call_id: s.name, type: s.name, role: s.name, content: s.anything });

/** The name under which a record outside the conversation is counted. */
export function kindOf(record: s.JsonRecord): string {
  const { type, payload } = s.read(typedRecord, record);
  const hasKinds = (type === 'event_msg' || type === 'response_item') && payload.type !== null;
  return hasKinds ? `${type}/${payload.type}` : (type ?? 'no type');
}

/** Identifies an item, also when a compaction repeats it; null if nothing identifies it. */
export function keyOf(item: s.JsonRecord): string | null {
  const { id, call_id: callId, type, role, content } = s.read(namedItem, item);
  if (id !== null) return id;
  if (callId !== null) return `${type} ${callId}`;
  // Before 0.16x, Codex's own messages had no ids.
  return type === 'message' && canBeWritten(content) ? `${role} ${JSON.stringify(content)}` : null;
}

const tooDeepText = '[What stands here is nested too deeply to be shown.]';

/**
 * JSON of an unknown value. Parsing accepts any depth, but serializing needs a stack frame per level, so it can fail.
 */
export function jsonText(value: object): string {
  return canBeWritten(value) ? JSON.stringify(value) : tooDeepText;
}

function canBeWritten(value: unknown): boolean {
  return shownInput(value) === value;
}

/** Tags that Codex adds around a picture, each on its own line. */
export const pictureTag = /^[ \t]*<\/?image\b[^>\n]*>[ \t\r]*$/gm;

const session = s.record({
  id: s.name,
  parent_thread_id: s.name,
  source: s.record({ subagent: s.record({ thread_spawn: s.record({ parent_thread_id: s.name }) }) }),
});

/** The thread that started this one; null if none did, or if the record names the thread itself. */
export function parentThread(payload: s.JsonRecord): string | null {
  const { id, parent_thread_id: named, source } = s.read(session, payload);
  const parent = named ?? source.subagent.thread_spawn.parent_thread_id;
  return parent === id ? null : parent;
}
