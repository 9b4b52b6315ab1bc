import { isDeepStrictEqual } from 'node:util';
import { type Entry, type Part, toolResults } from '../../engine/conversation/entry';
import { asCount, asName, asRecord, type JsonRecord } from '../records/json';
import { UniqueIds } from '../records/unique-ids';
import { blocksOf, saidParts, toolResult, usageOf } from './content';
import { type JsonItem, jsonItems } from './json-items';

/** A message of a file, as entries: results of tools stand in messages of the user role, each of them is an entry. */
export interface Message {
  /** The message's own id, or its place. */
  readonly id: string;
  readonly fields: JsonRecord;
  /** Its JSON, as it stands in the file. */
  readonly text: string;
  readonly entries: readonly Entry[];
}

/** What a user message is, besides what a person said. */
export type Standing = 'person' | 'injected' | 'summary';

/** Reads the messages of a file again and again; one that stayed as it was, where it was, keeps its entries. */
export class MessageReader {
  #known = new Map<string, Message>();

  constructor(
    private readonly file: string,
    private readonly list: string,
    private readonly standingOf: (fields: JsonRecord) => Standing,
    /** Set before ids, where another file has messages of the same ids. */
    private readonly prefix = '',
  ) {}

  read(text: string): readonly Message[] {
    const ids = new UniqueIds();
    // The system prompt has it.
    ids.claim('system');
    const names = new Map<string, string>();
    const known = new Map<string, Message>();
    const messages = jsonItems(text, this.list).map((item, index) => {
      const key = `${index}:${item.line}`;
      const before = this.#known.get(key);
      const isSame = before?.text === item.text;
      const fields = isSame ? before.fields : (asRecord(JSON.parse(item.text)) ?? {});
      const id = ids.claim(`${this.prefix}${asName(fields.id) ?? `message-${index + 1}`}`);
      noteNames(names, fields);
      const isKnown = isSame && before.id === id && areCalledSo(before, names);
      const message = isKnown ? before : this.#message(item, fields, id, names);
      for (const { id: further } of message.entries.slice(1)) ids.claim(further);
      known.set(key, message);
      return message;
    });
    this.#known = known;
    return messages;
  }

  #message(item: JsonItem, fields: JsonRecord, id: string, names: ReadonlyMap<string, string>): Message {
    const origin = { file: this.file, line: item.line };
    const place = { timestamp: timeOf(fields), origin };
    const entries =
      fields.role === 'assistant'
        ? replyEntries(fields, id, place)
        : fields.role === 'user'
          ? userEntries(fields, id, place, names, this.standingOf(fields))
          : [];
    return { id, fields, text: item.text, entries };
  }
}

/** A result has the name of its call, which stands in another message. */
function areCalledSo({ entries }: Message, names: ReadonlyMap<string, string>): boolean {
  return entries
    .flatMap(({ parts }) => toolResults(parts))
    .every(({ callId, name }) => name === (names.get(callId) ?? null));
}

type Place = Pick<Entry, 'timestamp' | 'origin'>;

function replyEntries(fields: JsonRecord, id: string, place: Place): Entry[] {
  const [parts] = partsOf(fields, new Map());
  if (parts === undefined) return [];
  const usage = usageOf(asRecord(fields.metrics));
  const model = asName(asRecord(fields.modelInfo)?.id) ?? asName(asRecord(fields.modelInfo)?.modelId);
  const reported = { ...(usage === null ? {} : { usage }), ...(model === null ? {} : { model }) };
  const summary = fields.isSummary === true ? { summary: true as const } : {};
  return [{ id, role: 'assistant', parts, ...place, ...reported, ...summary }];
}

/** The same message with another content, of which the parts are as many. Entries that `known` has alike are those. */
export function withContent(message: Message, content: unknown, known: Message | undefined): Message {
  const fields = { ...message.fields, content };
  const parts = partsOf(fields, namesIn(message.entries));
  const entries = message.entries.map((entry, index) => {
    const edited = { ...entry, parts: parts[index] ?? entry.parts };
    const alike = [entry, known?.entries[index]].find((one) => isDeepStrictEqual(one, edited));
    return alike ?? edited;
  });
  return { ...message, fields, entries };
}

function namesIn(entries: readonly Entry[]): Map<string, string> {
  const results = entries.flatMap(({ parts }) => toolResults(parts));
  return new Map(results.flatMap(({ callId, name }) => (name === null ? [] : [[callId, name]])));
}

function userEntries(
  fields: JsonRecord,
  id: string,
  place: Place,
  names: ReadonlyMap<string, string>,
  standing: Standing,
): Entry[] {
  const entries = partsOf(fields, names).map(
    (parts): Entry =>
      isOfResult(parts) ? { id, role: 'tool', parts, ...place } : userEntry(parts, id, place, standing),
  );
  return entries.map((entry, index) => (index === 0 ? entry : { ...entry, id: `${id}/${index + 1}` }));
}

/**
 * The parts of each entry. The results first: they answer what was said before, and what stands beside them was said
 * after. A reply is one entry.
 */
function partsOf(fields: JsonRecord, names: ReadonlyMap<string, string>): Part[][] {
  const blocks = blocksOf(fields);
  if (fields.role === 'assistant') return [blocks.flatMap((block) => saidParts(block, 'reply'))].filter(isSome);
  const results = blocks
    .filter(isResult)
    .flatMap((block) => [toolResult(block, names.get(asName(block.tool_use_id) ?? '') ?? null) ?? []]);
  const said = blocks.filter((block) => !isResult(block)).flatMap((block) => saidParts(block, 'prompt'));
  return [...results, said].filter(isSome);
}

function isSome(parts: readonly Part[]): boolean {
  return parts.length > 0;
}

function isOfResult(parts: readonly Part[]): boolean {
  return parts[0]?.type === 'tool_result';
}

function userEntry(parts: readonly Part[], id: string, place: Place, standing: Standing): Entry {
  const entry: Entry = { id, role: 'user', parts, ...place };
  if (standing === 'person') return entry;
  return standing === 'summary' ? { ...entry, injected: true, summary: true } : { ...entry, injected: true };
}

function isResult(block: JsonRecord): boolean {
  return block.type === 'tool_result';
}

function noteNames(names: Map<string, string>, fields: JsonRecord): void {
  for (const { type, id, name } of blocksOf(fields)) {
    if (type === 'tool_use' && typeof id === 'string' && typeof name === 'string') names.set(id, name);
  }
}

/** Milliseconds since the epoch in the file. */
function timeOf(fields: JsonRecord): string | null {
  const time = new Date(asCount(fields.ts) ?? Number.NaN);
  return Number.isNaN(time.getTime()) ? null : time.toISOString();
}
