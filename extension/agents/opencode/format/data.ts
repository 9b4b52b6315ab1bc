import { parsedJson } from '../../../platform/json/json-text';
import * as s from '../../../platform/json/schemas';

/* The JSON in the `data` column of messages and parts. */

/** Null if the text is not a JSON object. */
export function dataIn<Data>(schema: s.Tolerant<Data>, text: string): Data | null {
  const data = s.read(s.jsonRecord, parsedJson(text));
  return data === null ? null : schema(data);
}

const tokenCounts = s.optionalRecord({
  input: s.countOrZero,
  output: s.countOrZero,
  reasoning: s.countOrZero,
  cache: s.record({ read: s.countOrZero, write: s.countOrZero }),
});

/** Null if no counts were reported. */
export type TokenCounts = s.Read<typeof tokenCounts>;

/** A message without its parts. */
export const messageData = s.record({
  role: s.name,
  parentID: s.name,
  /** A prompt names its model in a record, a reply beside its other fields. */
  model: s.optionalRecord({ providerID: s.name, modelID: s.name }),
  providerID: s.name,
  modelID: s.name,
  summary: s.flag,
  finish: s.name,
  error: s.optionalRecord({ name: s.name }),
  time: s.record({ completed: s.count }),
  tokens: tokenCounts,
});

export type MessageData = s.Read<typeof messageData>;

const file = { mime: s.name, url: s.text };

/** A file of a user message, or an attachment of a result. */
export type FileData = Pick<PartData, keyof typeof file>;

const toolState = s.optionalRecord({
  status: s.name,
  input: s.anything,
  output: s.text,
  error: s.text,
  attachments: s.records(file),
  /** Interrupted commands keep their output so far here; `sessionId` is the session that a tool started. */
  metadata: s.record({ sessionId: s.name, interrupted: s.flag, output: s.textOrNull }),
  /** When OpenCode cleared the result, in milliseconds since the epoch. */
  time: s.record({ compacted: s.count }),
});

/** A call's state, with its result. */
export type ToolState = NonNullable<s.Read<typeof toolState>>;

/** A part of any type; fields of other types are absent. */
export const partData = s.record({
  ...file,
  type: s.name,
  text: s.text,
  /** Not sent. */
  ignored: s.flag,
  /** Written by OpenCode. */
  synthetic: s.flag,
  tool: s.text,
  callID: s.name,
  state: toolState,
  tokens: tokenCounts,
  /** A compaction: whether OpenCode requested it, and the first message that it kept. */
  auto: s.flag,
  tail_start_id: s.name,
});

export type PartData = s.Read<typeof partData>;
