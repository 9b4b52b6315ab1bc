import { applyEdits, type Edit } from 'jsonc-parser';
import type { ToolDefinitionsPart } from '../../engine/conversation/entry';
import { parsedJson } from '../../sessions/records/json-text';
import * as s from '../../sessions/records/schemas';
import { withoutCacheMark } from '../formats/content';
import { type MessageFormat, type MessageGroup, rewritten } from '../formats/format';
import type { Outgoing } from '../recognition/outgoing';
import type { WireReading } from './protocol';
import { listWith, type Member, membersOf, type Piece } from './splice';

export type BodyReading =
  | { readonly kind: 'body'; readonly body: s.JsonRecord }
  | Extract<WireReading, { readonly kind: 'unread' }>;

/** Parses JSON of any depth. Content too deep to serialize is never serialized again. */
export function bodyOf(text: string): BodyReading {
  const body = s.read(s.jsonRecord, parsedJson(text));
  return body === null ? unread('The request is not a JSON object.') : { kind: 'body', body };
}

export type MessagesReading =
  | { readonly kind: 'messages'; readonly body: s.JsonRecord; readonly messages: readonly s.JsonRecord[] }
  | Extract<WireReading, { readonly kind: 'unread' }>;

/** Parses a body with a list of `messages`. */
export function messagesOf(text: string): MessagesReading {
  const reading = bodyOf(text);
  if (reading.kind === 'unread') return reading;
  const messages = messagesIn(reading.body.messages);
  return messages === null
    ? unread('The request has no list of messages.')
    : { kind: 'messages', body: reading.body, messages };
}

export function unread(reason: string): Extract<WireReading, { readonly kind: 'unread' }> {
  return { kind: 'unread', reason };
}

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

/** The messages to send as pieces of the original list. */
export function piecesOf(
  format: MessageFormat<s.JsonRecord>,
  groups: readonly MessageGroup<s.JsonRecord>[],
  outgoing: readonly Outgoing[],
): Piece[] {
  const messages = groups.flatMap((group) => group.messages);
  const indexes = new Map(messages.map((message, index) => [message, index]));
  return rewritten(format, groups, outgoing).map((message) => {
    const index = indexes.get(message);
    return index === undefined ? { kind: 'new', text: JSON.stringify(message) } : { kind: 'kept', index };
  });
}

/** Edits the text of a JSON body in place. Everything else keeps its exact text. */
export class BodyText {
  readonly members: ReadonlyMap<string, Member>;
  readonly #edits: Edit[] = [];

  constructor(readonly text: string) {
    this.members = membersOf(text);
  }

  replaceList(name: string, pieces: readonly Piece[]): this {
    const member = this.members.get(name);
    return member ? this.replace(member, listWith(this.text, member, pieces)) : this;
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

  /** The text of one list element; empty if there is none. */
  elementOf(name: string, index: number): string {
    const element = this.members.get(name)?.elements[index];
    return element ? this.text.slice(element.start, element.end) : '';
  }

  #edit(start: number, end: number, content: string): this {
    this.#edits.push({ offset: start, length: end - start, content });
    return this;
  }

  toString(): string {
    return applyEdits(this.text, this.#edits);
  }
}
