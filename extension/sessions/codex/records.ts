import { asName, asRecord, type JsonRecord } from '../records/json';

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
  return item.type === 'message' ? `${asName(item.role)} ${JSON.stringify(item.content)}` : null;
}
