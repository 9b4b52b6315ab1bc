import { isDeepStrictEqual } from 'node:util';
import { type Entry, type Part, toolResults } from '../../../engine/conversation/entry';
import { type JsonItem, jsonItems } from '../../../platform/json/json-items';
import * as s from '../../../platform/json/schemas';
import { timeText } from '../../../platform/json/time-text';
import { UniqueIds } from '../../../platform/json/unique-ids';
import { personText } from '../../../sessions/injected/split-by-author';
import { blocksOf, contentParts, metrics, toolResult, usageOf } from './content';
import type { JsonFile } from './json-file';

const messageRecord = s.record({
  id: s.name,
  role: s.name,
  content: s.anything,
  ts: s.count,
  metadata: s.record({ displayOnly: s.flag, displayRole: s.name, kind: s.name }),
  metrics,
  modelInfo: s.record({ id: s.name, modelId: s.name }),
  isSummary: s.flag,
  condenseId: s.name,
  condenseParent: s.name,
  isTruncationMarker: s.flag,
  truncationId: s.name,
  truncationParent: s.name,
});

/** The fields of a message, with those that only forks of Cline write. */
export type MessageFields = s.Read<typeof messageRecord>;

/** A message of a file with its entries. A user message contains tool results, each of which is an entry. */
export interface Message {
  /** The message's own id, or one made from its position. */
  readonly id: string;
  readonly fields: MessageFields;
  /** Its JSON text in the file. */
  readonly text: string;
  readonly entries: readonly Entry[];
}

/** Who wrote a user message: a person, the agent, or a compaction. */
export type UserMessageKind = 'person' | 'injected' | 'summary';

/** Reads the messages of a file repeatedly. Unchanged messages keep their entries. */
export class MessageReader {
  #known = new Map<string, Message>();

  constructor(
    private readonly file: string,
    private readonly list: string,
    private readonly kindOf: (fields: MessageFields) => UserMessageKind,
    /** Prepended to ids if another file has messages with the same ids. */
    private readonly prefix = '',
  ) {}

  read({ text, value }: Pick<JsonFile, 'text' | 'value'>): readonly Message[] {
    const ids = new UniqueIds();
    // Used by the system prompt.
    ids.claim('system');
    const names = new Map<string, string>();
    const known = new Map<string, Message>();
    const messages = jsonItems(text, this.list, value).map((item, index) => {
      const key = `${index}:${item.line}`;
      const before = this.#known.get(key);
      const isSame = before?.text === item.text;
      const fields = isSame ? before.fields : s.read(messageRecord, item.value);
      const id = ids.claim(`${this.prefix}${fields.id ?? `message-${index + 1}`}`);
      noteNames(names, fields);
      const isKnown = isSame && before.id === id && haveSameNames(before, names);
      const message = isKnown ? before : this.#message(item, fields, id, names);
      for (const { id: further } of message.entries.slice(1)) ids.claim(further);
      known.set(key, message);
      return message;
    });
    this.#known = known;
    return messages;
  }

  #message(item: JsonItem, fields: MessageFields, id: string, names: ReadonlyMap<string, string>): Message {
    const origin = { file: this.file, line: item.line };
    const place = { timestamp: timeText(fields.ts), origin };
    const entries =
      fields.role === 'assistant'
        ? replyEntries(fields, id, place)
        : fields.role === 'user'
          ? userEntries(fields, id, place, names, this.kindOf(fields))
          : [];
    return { id, fields, text: item.text, entries };
  }
}

/** The words of the person in the first prompt; empty without one. */
export function firstPrompt(entries: readonly Entry[]): string {
  const first = entries.find((entry) => entry.role === 'user' && !entry.injected);
  return first === undefined ? '' : personText(first.parts, { haveFrames: true });
}

/** A result's name is that of its call, which is part of another message. */
function haveSameNames({ entries }: Message, names: ReadonlyMap<string, string>): boolean {
  return entries
    .flatMap(({ parts }) => toolResults(parts))
    .every(({ callId, name }) => name === (names.get(callId) ?? null));
}

type EntryPlace = Pick<Entry, 'timestamp' | 'origin'>;

function replyEntries(fields: MessageFields, id: string, place: EntryPlace): Entry[] {
  const [parts] = partsOf(fields, new Map());
  if (parts === undefined) return [];
  const usage = usageOf(fields.metrics);
  const model = fields.modelInfo.id ?? fields.modelInfo.modelId;
  const reported = { ...(usage === null ? {} : { usage }), ...(model === null ? {} : { model }) };
  const summary = fields.isSummary ? { summary: true as const } : {};
  return [{ id, role: 'assistant', parts, ...place, ...reported, ...summary }];
}

/** The message with a new content of equally many entries. Entries equal to those of the message or `known` are reused. */
export function withContent(message: Message, content: unknown, known: Message | undefined): Message {
  const fields = { ...message.fields, content };
  const parts = partsOf(fields, namesIn(message.entries));
  const entries = message.entries.map((entry, index) => {
    const edited = { ...entry, parts: parts[index] ?? entry.parts };
    const same = [entry, known?.entries[index]].find((one) => isDeepStrictEqual(one, edited));
    return same ?? edited;
  });
  return { ...message, fields, entries };
}

function namesIn(entries: readonly Entry[]): Map<string, string> {
  const results = entries.flatMap(({ parts }) => toolResults(parts));
  return new Map(results.flatMap(({ callId, name }) => (name === null ? [] : [[callId, name]])));
}

function userEntries(
  fields: MessageFields,
  id: string,
  place: EntryPlace,
  names: ReadonlyMap<string, string>,
  kind: UserMessageKind,
): Entry[] {
  const entries = partsOf(fields, names).map(
    (parts): Entry => (isToolResult(parts) ? { id, role: 'tool', parts, ...place } : userEntry(parts, id, place, kind)),
  );
  return entries.map((entry, index) => (index === 0 ? entry : { ...entry, id: `${id}/${index + 1}` }));
}

/** The parts of each entry. Results come first because they answer the previous message. A reply is one entry. */
function partsOf(fields: MessageFields, names: ReadonlyMap<string, string>): Part[][] {
  const blocks = blocksOf(fields.content);
  if (fields.role === 'assistant') return [blocks.flatMap((block) => contentParts(block, 'reply'))].filter(isNotEmpty);
  const results = blocks.filter(isResult).flatMap((block) => [toolResult(block, names) ?? []]);
  const others = blocks.filter((block) => !isResult(block)).flatMap((block) => contentParts(block, 'prompt'));
  return [...results, others].filter(isNotEmpty);
}

function isNotEmpty(parts: readonly Part[]): boolean {
  return parts.length > 0;
}

function isToolResult(parts: readonly Part[]): boolean {
  return parts[0]?.type === 'tool_result';
}

function userEntry(parts: readonly Part[], id: string, place: EntryPlace, kind: UserMessageKind): Entry {
  const entry: Entry = { id, role: 'user', parts, ...place };
  if (kind === 'person') return entry;
  return kind === 'summary' ? { ...entry, injected: true, summary: true } : { ...entry, injected: true };
}

export function isResult(block: s.JsonRecord): boolean {
  return block.type === 'tool_result';
}

function noteNames(names: Map<string, string>, { content }: MessageFields): void {
  for (const { type, id, name } of blocksOf(content)) {
    if (type === 'tool_use' && typeof id === 'string' && typeof name === 'string') names.set(id, name);
  }
}
