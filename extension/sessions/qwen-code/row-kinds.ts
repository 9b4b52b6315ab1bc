import { asName, type JsonRecord } from '../records/json';

const types = new Set(['user', 'assistant', 'tool_result', 'system']);

/** Rows outside the chain: no row has one of them as its parent. */
const besideTheChain = new Set([
  'session_artifact_event',
  'session_artifact_snapshot',
  'session_sources_snapshot',
  'managed_session_header_v1',
  'managed_session_event_v1',
  'managed_session_commit_v1',
]);

/** Whether Qwen Code 0.24.4 makes this row part of the chain. It ignores rows without an id or a parent field. */
export function hasPlaceInChain(row: JsonRecord): boolean {
  const { type, subtype, parentUuid } = row;
  if (typeof type !== 'string' || !types.has(type) || asName(row.uuid) === null) return false;
  if (parentUuid !== null && typeof parentUuid !== 'string') return false;
  return !(type === 'system' && typeof subtype === 'string' && besideTheChain.has(subtype));
}

/** User rows that no person wrote. */
const injectedSubtypes = new Set(['notification', 'cron', 'goal_runtime']);

/** Who speaks in a row. `person`: a person certainly wrote one of its texts; `user`: a person may have. */
export type RowSpeaker = 'model' | 'person' | 'user' | 'agent' | 'system' | 'nobody';

/** Older versions have no `provenance`, only the subtype. In a subagent's file the parent agent speaks as the person. */
export function speakerOf({ type, subtype, provenance }: JsonRecord): RowSpeaker {
  if (type === 'system') return 'system';
  if (subtype === 'realtime_message') return 'nobody';
  if (type === 'assistant') return 'model';
  if (typeof subtype === 'string' && injectedSubtypes.has(subtype)) return 'agent';
  if (provenance === 'system' || provenance === 'goal_runtime') return 'agent';
  return type === 'user' && provenance === 'real_user' ? 'person' : 'user';
}

export function kindOfRow(row: JsonRecord): string {
  const type = asName(row.type) ?? 'no type';
  const subtype = asName(row.subtype);
  return subtype === null ? type : `${type}/${subtype}`;
}
