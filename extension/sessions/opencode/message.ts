import { asCount, asName, asRecord, asText, type JsonRecord } from '../records/json';
import { asTime, type DataRow, jsonRecord } from './rows';

/** A part of a message. `data` has a `type`. */
export interface MessagePart {
  readonly id: string;
  readonly data: JsonRecord;
}

/** A message with its parts, in order. Every change creates a new value. */
export interface StoredMessage {
  readonly id: string;
  /** Milliseconds since the epoch. */
  readonly created: number;
  readonly data: JsonRecord;
  readonly parts: readonly MessagePart[];
  /** Problems of its rows. */
  readonly problems: readonly string[];
}

export interface ReadRow {
  readonly row: DataRow;
  /** Null if the row's data is not a JSON object. */
  readonly data: JsonRecord | null;
}

export function storedMessage(message: ReadRow, parts: Iterable<ReadRow>): StoredMessage {
  const inOrder = [...parts].sort((one, other) => compareText(one.row.id, other.row.id));
  const rows = [message, ...inOrder];
  return {
    id: message.row.id,
    created: message.row.created,
    data: message.data ?? {},
    parts: inOrder.flatMap(({ row, data }) => (data === null ? [] : [{ id: row.id, data }])),
    problems: [...roleProblems(message), ...rows.flatMap(rowProblems)],
  };
}

function roleProblems({ row, data }: ReadRow): string[] {
  if (data === null || roleOf(data) !== null) return [];
  return [`The message ${row.id} has an unknown role and was left out`];
}

function rowProblems({ row: { id, created, updated }, data }: ReadRow): string[] {
  const isTimed = asTime(created) !== null && updated !== null;
  return [
    ...(data === null ? [`The data of ${id} is not a JSON object and was left out`] : []),
    ...(isTimed ? [] : [`The time of ${id} is not valid`]),
  ];
}

/** Null if the data is damaged or the role is unknown. */
export function roleOf({ role }: JsonRecord): 'user' | 'assistant' | null {
  return role === 'user' || role === 'assistant' ? role : null;
}

export function readRow(row: DataRow): ReadRow {
  return { row, data: jsonRecord(row.data) };
}

/** OpenCode's order of messages: by time, then by id. */
export function compareMessages(one: StoredMessage, other: StoredMessage): number {
  return one.created - other.created || compareText(one.id, other.id);
}

function compareText(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}

export function typeOf(part: MessagePart): string {
  return asName(part.data.type) ?? 'no type';
}

export function stateOf(part: MessagePart): JsonRecord {
  return asRecord(part.data.state) ?? {};
}

/** When OpenCode cleared this result, in milliseconds since the epoch; null if it did not. */
export function clearedAt(part: MessagePart): number | null {
  return asCount(asRecord(stateOf(part).time)?.compacted);
}

/** The session that a tool call started. */
export function startedSession(part: MessagePart): string | null {
  return asName(asRecord(stateOf(part).metadata)?.sessionId);
}

/** The part with which a person or OpenCode requested a compaction. */
export function compactionPart(message: StoredMessage): MessagePart | null {
  if (message.data.role !== 'user') return null;
  return message.parts.find((part) => typeOf(part) === 'compaction') ?? null;
}

/** Whether the message is a finished summary. OpenCode does not send unfinished ones. */
export function isSummary({ data }: StoredMessage): boolean {
  return data.role === 'assistant' && data.summary === true && asName(data.finish) !== null && !data.error;
}

/** The model that wrote a reply, or that a prompt is for; empty if the message names none. */
export function modelOf({ data }: StoredMessage): string {
  const named = asRecord(data.model) ?? data;
  return [named.providerID, named.modelID]
    .map(asText)
    .filter((name) => name !== null)
    .join('/');
}

/** Whether OpenCode omits a failed reply. A reply that a person stopped is sent if it has content besides reasoning. */
export function isLeftOut({ data, parts }: StoredMessage): boolean {
  const error = asRecord(data.error);
  if (error === null) return false;
  const hasContent = parts.some((part) => !['step-start', 'reasoning'].includes(typeOf(part)));
  return !(error.name === 'MessageAbortedError' && hasContent);
}
