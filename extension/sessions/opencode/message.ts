import { asCount, asName, asRecord, asText, type JsonRecord } from '../records/json';
import { asTime, type DataRow, jsonRecord } from './rows';

/** A part of a message. Its data has a `type`. */
export interface MessagePart {
  readonly id: string;
  readonly data: JsonRecord;
}

/** A message with its parts, in their order. A new value comes with every change of either. */
export interface StoredMessage {
  readonly id: string;
  /** Milliseconds since the epoch. */
  readonly created: number;
  readonly data: JsonRecord;
  readonly parts: readonly MessagePart[];
  /** What is wrong with its rows. */
  readonly problems: readonly string[];
}

export interface ReadRow {
  readonly row: DataRow;
  /** Null where the row's data is no JSON object. */
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
  return [`The message ${row.id} is of nobody that is known and was left out`];
}

function rowProblems({ row: { id, created, updated }, data }: ReadRow): string[] {
  const isTimed = asTime(created) !== null && updated !== null;
  return [
    ...(data === null ? [`The data of ${id} is no JSON object and was left out`] : []),
    ...(isTimed ? [] : [`The time of ${id} is none that can be`]),
  ];
}

/** Null for a message whose data is damaged, or of a kind that is not known: nobody is taken for its author. */
export function roleOf({ role }: JsonRecord): 'user' | 'assistant' | null {
  return role === 'user' || role === 'assistant' ? role : null;
}

export function readRow(row: DataRow): ReadRow {
  return { row, data: jsonRecord(row.data) };
}

/** As OpenCode orders messages: by their time, then by their ids. */
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

/** Milliseconds since the epoch: when OpenCode stopped sending this result's text; null while it sends it. */
export function clearedAt(part: MessagePart): number | null {
  return asCount(asRecord(stateOf(part).time)?.compacted);
}

/** The session that a tool call started. */
export function startedSession(part: MessagePart): string | null {
  return asName(asRecord(stateOf(part).metadata)?.sessionId);
}

/** The part by which a person, or OpenCode itself, asked for a compaction. */
export function compactionPart(message: StoredMessage): MessagePart | null {
  if (message.data.role !== 'user') return null;
  return message.parts.find((part) => typeOf(part) === 'compaction') ?? null;
}

/** A summary that came to its end: OpenCode sends no other. */
export function isSummary({ data }: StoredMessage): boolean {
  return data.role === 'assistant' && data.summary === true && asName(data.finish) !== null && !data.error;
}

/** Which model a message is of, or is for; empty where it does not say. */
export function modelOf({ data }: StoredMessage): string {
  const named = asRecord(data.model) ?? data;
  return [named.providerID, named.modelID]
    .map(asText)
    .filter((name) => name !== null)
    .join('/');
}

/**
 * Whether OpenCode leaves a reply out because it failed. One that a person stopped is sent if it got as far as saying
 * or doing something.
 */
export function isLeftOut({ data, parts }: StoredMessage): boolean {
  const error = asRecord(data.error);
  if (error === null) return false;
  const saidSomething = parts.some((part) => !['step-start', 'reasoning'].includes(typeOf(part)));
  return !(error.name === 'MessageAbortedError' && saidSomething);
}
