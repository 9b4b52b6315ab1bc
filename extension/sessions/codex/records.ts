import { asName, asRecord, type JsonRecord } from '../records/json';
import { shownInput } from '../records/tool-input';

/** How a record counts that is no part of the conversation. */
export function kindOf(record: JsonRecord): string {
  const type = asName(record.type) ?? 'no type';
  const detail = type === 'event_msg' || type === 'response_item' ? asName(asRecord(record.payload)?.type) : null;
  return detail === null ? type : `${type}/${detail}`;
}

/** What tells an item from others, also where a compaction repeats it; null where nothing does. */
export function keyOf(item: JsonRecord): string | null {
  const id = asName(item.id);
  if (id !== null) return id;
  const callId = asName(item.call_id);
  if (callId !== null) return `${asName(item.type)} ${callId}`;
  // Versions before 0.16x gave their own messages no ids.
  return item.type === 'message' && canBeWritten(item.content)
    ? `${asName(item.role)} ${JSON.stringify(item.content)}`
    : null;
}

const tooDeepText = '[What stands here is nested too deeply to be shown.]';

/** What Strata has no words for, as JSON. A parser takes any depth, but to write it again takes a call for each level. */
export function jsonText(value: object): string {
  return canBeWritten(value) ? JSON.stringify(value) : tooDeepText;
}

function canBeWritten(value: unknown): boolean {
  return shownInput(value) === value;
}
