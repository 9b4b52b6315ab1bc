import { type LocalizableText, localizable } from '../../../engine/wording/localizable-text';
import { type MessageData, messageData, type PartData } from './data';
import { type DataRow, time } from './rows';

export interface MessagePart {
  readonly id: string;
  readonly data: PartData;
}

/** A message with its parts, in order. Every change creates a new value. */
export interface StoredMessage {
  readonly id: string;
  /** Milliseconds since the epoch. */
  readonly created: number;
  readonly data: MessageData;
  readonly parts: readonly MessagePart[];
  /** Problems of its rows. */
  readonly problems: readonly LocalizableText[];
}

export interface ReadRow<Data> {
  readonly row: DataRow;
  /** Null if the row's data is not a JSON object. */
  readonly data: Data | null;
}

const noMessageData = messageData(undefined);

export function storedMessage(message: ReadRow<MessageData>, parts: Iterable<ReadRow<PartData>>): StoredMessage {
  const inOrder = [...parts].sort((one, other) => compareText(one.row.id, other.row.id));
  const rows = [message, ...inOrder];
  return {
    id: message.row.id,
    created: message.row.time_created,
    data: message.data ?? noMessageData,
    parts: inOrder.flatMap(({ row, data }) => (data === null ? [] : [{ id: row.id, data }])),
    problems: [...roleProblems(message), ...rows.flatMap(rowProblems)],
  };
}

function roleProblems({ row, data }: ReadRow<MessageData>): LocalizableText[] {
  if (data === null || roleOf(data) !== null) return [];
  return [localizable('The message {0} has an unknown role and was left out', row.id)];
}

function rowProblems({ row, data }: ReadRow<unknown>): LocalizableText[] {
  const { id } = row;
  const isTimed = time(row.time_created) !== null && row.time_updated !== null;
  return [
    ...(data === null ? [localizable('The data of {0} is not a JSON object and was left out', id)] : []),
    ...(isTimed ? [] : [localizable('The time of {0} is not valid', id)]),
  ];
}

/** Null if the data is damaged or the role is unknown. */
export function roleOf({ role }: MessageData): 'user' | 'assistant' | null {
  return role === 'user' || role === 'assistant' ? role : null;
}

/** OpenCode's order of messages: by time, then by id. */
export function compareMessages(one: StoredMessage, other: StoredMessage): number {
  return one.created - other.created || compareText(one.id, other.id);
}

function compareText(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}

export function typeOf(part: MessagePart): string {
  return part.data.type ?? 'no type';
}

/** When OpenCode cleared this result, in milliseconds since the epoch; null if it did not. */
export function clearedAt({ data }: MessagePart): number | null {
  return data.state?.time.compacted ?? null;
}

/** The session that a tool call started. */
export function startedSession({ data }: MessagePart): string | null {
  return data.state?.metadata.sessionId ?? null;
}

/** The part with which a person or OpenCode requested a compaction. */
export function compactionPart(message: StoredMessage): MessagePart | null {
  if (message.data.role !== 'user') return null;
  return message.parts.find((part) => typeOf(part) === 'compaction') ?? null;
}

/** Whether the message is a finished summary. OpenCode does not send unfinished ones. */
export function isSummary({ data }: StoredMessage): boolean {
  return data.role === 'assistant' && data.summary && data.finish !== null && data.error === null;
}

/** The model that wrote a reply, or that a prompt is for; empty if the message names none. */
export function modelOf({ data }: StoredMessage): string {
  const { providerID, modelID } = data.model ?? data;
  return [providerID, modelID].filter((name) => name !== null).join('/');
}

/** Whether OpenCode omits a failed reply. A reply that a person stopped is sent if it has content besides reasoning. */
export function isLeftOut({ data, parts }: StoredMessage): boolean {
  if (data.error === null) return false;
  const hasContent = parts.some((part) => !['step-start', 'reasoning'].includes(typeOf(part)));
  return !(data.error.name === 'MessageAbortedError' && hasContent);
}
