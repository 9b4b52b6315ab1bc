import * as s from '../../../platform/json/schemas';

const rowRecord = s.record({
  uuid: s.name,
  parentUuid: s.anything,
  sessionId: s.name,
  timestamp: s.name,
  cwd: s.name,
  gitBranch: s.name,
  type: s.name,
  subtype: s.name,
  provenance: s.name,
  isSidechain: s.flag,
  agentId: s.name,
  agentName: s.name,
  agentRound: s.anything,
  model: s.name,
  contextWindowSize: s.count,
  usageMetadata: s.anything,
  message: s.record({ parts: s.anything }),
  systemPayload: s.optionalRecord({
    customTitle: s.text,
    rawCommand: s.name,
    phase: s.name,
    sentToModel: s.flag,
    outputHistoryItems: s.list,
    compressedHistory: s.anything,
    info: s.record({ triggerReason: s.name, originalTokenCount: s.count, newTokenCount: s.count }),
  }),
});

export type Row = s.Read<typeof rowRecord>;

export function readRow(record: s.JsonRecord): Row {
  return s.read(rowRecord, record);
}

export type ChainRow = Row & { readonly uuid: string; readonly parentUuid: string | null };

const types = new Set(['user', 'assistant', 'tool_result', 'system']);

/** Rows outside the chain: no row has one of them as its parent. */
const outsideTheChain = new Set([
  'session_artifact_event',
  'session_artifact_snapshot',
  'session_sources_snapshot',
  'managed_session_header_v1',
  'managed_session_event_v1',
  'managed_session_commit_v1',
]);

/** Whether Qwen Code 0.24.4 makes this row part of the chain. It ignores rows without an id or a parent field. */
export function isInChain(row: Row): row is ChainRow {
  const { uuid, type, subtype, parentUuid } = row;
  if (uuid === null || type === null || !types.has(type)) return false;
  if (parentUuid !== null && typeof parentUuid !== 'string') return false;
  return !(type === 'system' && subtype !== null && outsideTheChain.has(subtype));
}

/** User rows that no person wrote. */
const injectedSubtypes = new Set(['notification', 'cron', 'goal_runtime']);

/** Who speaks in a row. `person`: a person certainly wrote one of its texts; `user`: a person may have. */
export type RowSpeaker = 'model' | 'person' | 'user' | 'agent' | 'system' | 'nobody';

/** Older versions have no `provenance`, only the subtype. In a subagent's file the parent agent speaks as the person. */
export function speakerOf({ type, subtype, provenance }: Row): RowSpeaker {
  if (type === 'system') return 'system';
  if (subtype === 'realtime_message') return 'nobody';
  if (type === 'assistant') return 'model';
  if (subtype !== null && injectedSubtypes.has(subtype)) return 'agent';
  if (provenance === 'system' || provenance === 'goal_runtime') return 'agent';
  return type === 'user' && provenance === 'real_user' ? 'person' : 'user';
}

export function kindOfRow({ type, subtype }: Row): string {
  return subtype === null ? (type ?? 'no type') : `${type ?? 'no type'}/${subtype}`;
}
