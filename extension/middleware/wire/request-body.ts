import { applyEdits, type Edit } from 'jsonc-parser';
import type { ToolDefinitionsPart } from '../../engine/conversation/entry';
import { costOfOne, type LongWork } from '../../engine/conversation/long-work';
import { parsedJson } from '../../sessions/records/json-text';
import * as s from '../../sessions/records/schemas';
import { withoutCacheMark } from '../formats/content';
import type { LazyMessageFormat, MessageGroup } from '../formats/format';
import type { SeenCalls } from '../formats/seen-calls';
import { costOfParts } from '../recognition/received';
import type { Span } from './json-cursor';
import type { ChangedBody, ChangingBody, ReadBody, WireReading } from './protocol';
import { type Member, membersIn, type Piece } from './splice';

export type BodyReading = ({ readonly kind: 'body' } & ReadBody) | Extract<WireReading, { readonly kind: 'unread' }>;

/** Parses JSON of any depth, each element of a list on its own. Content too deep to serialize is never serialized again. */
export function* bodyOf(text: string): LongWork<BodyReading> {
  const members = yield* membersIn(text);
  const body = members === null ? undefined : yield* parsedObject(text, members);
  if (members === null || body === undefined) return unread('The request is not a JSON object.');
  return { kind: 'body', body, text, members };
}

/** Undefined for text that is not JSON, as for `parsedJson`. */
export function* parsedObject(text: string, members: readonly Member[]): LongWork<s.JsonRecord | undefined> {
  const values: [name: string, value: unknown][] = [];
  for (const { name, value, elements } of members) {
    const parsed = text.startsWith('[', value.start) ? yield* parsedList(text, elements) : parsedAt(text, value);
    if (parsed === undefined) return undefined;
    values.push([name, parsed]);
    yield costOf(value);
  }
  return Object.fromEntries(values);
}

export function* parsedList(text: string, elements: readonly Span[]): LongWork<readonly unknown[] | undefined> {
  const list: unknown[] = [];
  for (const element of elements) {
    const parsed = parsedAt(text, element);
    if (parsed === undefined) return undefined;
    list.push(parsed);
    yield costOf(element);
  }
  return list;
}

function parsedAt(text: string, { start, end }: Span): unknown {
  return parsedJson(text.slice(start, end));
}

function costOf({ start, end }: Span): number {
  return end - start + costOfOne;
}

/** The groups of a format, as `groupsOf` returns them. */
export function* grouping<M>(
  format: LazyMessageFormat<M>,
  messages: readonly M[],
  calls: SeenCalls,
): LongWork<readonly MessageGroup<M>[]> {
  const groups: MessageGroup<M>[] = [];
  for (const group of format.eachGroup(messages, calls)) {
    groups.push(group);
    yield costOfParts(group.said.parts);
  }
  return groups;
}

export function unread(reason: string): Extract<WireReading, { readonly kind: 'unread' }> {
  return { kind: 'unread', reason };
}

export const noMessages = 'The request has no list of messages.';

/** A list of objects only; null for everything else. */
export function messagesIn(value: unknown): readonly s.JsonRecord[] | null {
  return Array.isArray(value) && value.every(s.isRecord) ? value : null;
}

/** Ignores cache control marks, which move from request to request. */
export function toolsOf(value: unknown): ToolDefinitionsPart | null {
  const tools = s.read(s.jsonRecords, value).map(withoutCacheMark);
  if (tools.length === 0) return null;
  return { type: 'tool_definitions', names: tools.flatMap(toolName), text: JSON.stringify(tools) };
}

const nested = s.optionalRecord({ name: s.name });

const toolDefinition = s.record({ type: s.name, name: s.name, function: nested, custom: nested });

/** Tools that a provider runs often have only a type. */
function toolName(definition: s.JsonRecord): string[] {
  const tool = s.read(toolDefinition, definition);
  const { name } = tool.function ?? tool.custom ?? tool;
  return [name ?? tool.type ?? []].flat();
}

/** Edits the text of a body in place. Everything else keeps its exact text. */
export class BodyText {
  readonly text: string;
  readonly members: ReadonlyMap<string, Member>;
  readonly #list: Span;
  readonly #edits: Edit[] = [];

  constructor({ text, members, list }: Pick<ChangingBody, 'text' | 'members' | 'list'>) {
    this.text = text;
    this.members = members;
    this.#list = list;
  }

  replace({ value: { start, end } }: Member, content: string): this {
    return this.#edit(start, end, content);
  }

  insert(offset: number, content: string): this {
    return this.#edit(offset, offset, content);
  }

  textOf({ value: { start, end } }: Member): string {
    return this.text.slice(start, end);
  }

  #edit(start: number, end: number, content: string): this {
    this.#edits.push({ offset: start, length: end - start, content });
    return this;
  }

  /** With these messages. */
  with(pieces: readonly Piece[]): ChangedBody {
    const { start, end } = this.#list;
    const before = this.#edits.filter(({ offset }) => offset < start);
    const after = this.#edits.filter((edit) => !before.includes(edit));
    return {
      before: applyEdits(this.text.slice(0, start), before),
      pieces,
      after: applyEdits(
        this.text.slice(end),
        after.map((edit) => ({ ...edit, offset: edit.offset - end })),
      ),
    };
  }
}
