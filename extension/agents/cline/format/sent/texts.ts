import * as s from '../../../../platform/json/schemas';
import { shownInput } from '../../../../sessions/records/tool-input';

/** The owner of a text of a message. `file`: a file attached to a prompt; `input`: a tool call; `result`: its result. */
export type TextKind = 'prompt' | 'thinking' | 'reply' | 'file' | 'input' | 'result';

export type TextChange = (text: string, kind: TextKind) => string;

/** Changes the texts of a message's content, in order. Returns the same object if no text changed. */
export function mapTexts(role: unknown, content: unknown, change: TextChange): unknown {
  const own = role === 'assistant' ? 'reply' : 'prompt';
  if (typeof content === 'string') return change(content, own);
  return mapItems(content, (item) => (s.isRecord(item) ? mapBlock(item, own, change) : item));
}

function mapBlock(block: s.JsonRecord, own: TextKind, change: TextChange): s.JsonRecord {
  switch (block.type) {
    case 'text':
      return withText(block, 'text', own, change);
    case 'thinking':
      return withText(block, 'thinking', 'thinking', change);
    case 'file':
      return withText(block, 'content', 'file', change);
    case 'tool_use':
      return withValue(block, 'input', mapValue(block.input, 'input', change));
    case 'tool_result':
      return withValue(block, 'content', mapResult(block.content, change));
    default:
      return block;
  }
}

function mapResult(content: unknown, change: TextChange): unknown {
  if (!Array.isArray(content)) return mapValue(content, 'result', change);
  return mapItems(content, (item) => {
    if (!s.isRecord(item)) return mapValue(item, 'result', change);
    if (item.type === 'text') return withText(item, 'text', 'result', change);
    if (item.type === 'file') return withText(item, 'content', 'result', change);
    return item.type === 'image' ? item : mapValue(item, 'result', change);
  });
}

/** Changes all texts of a value. A value that is nested too deeply to be shown is left unchanged. */
export function mapValue(value: unknown, kind: TextKind, change: TextChange): unknown {
  return shownInput(value) === value ? mapNested(value, kind, change) : value;
}

function mapNested(value: unknown, kind: TextKind, change: TextChange): unknown {
  if (typeof value === 'string') return change(value, kind);
  if (Array.isArray(value)) return mapItems(value, (item) => mapNested(item, kind, change));
  if (!s.isRecord(value) || isImage(value)) return value;
  const names = Object.keys(value);
  const fields = names.map((name) => mapNested(value[name], kind, change));
  if (names.every((name, index) => fields[index] === value[name])) return value;
  return Object.fromEntries(names.map((name, index) => [name, fields[index]]));
}

export interface Image {
  readonly data: string;
  readonly mediaType: string;
}

export function isImage(item: unknown): item is Image {
  if (!s.isRecord(item) || item.type !== 'image') return false;
  return typeof item.data === 'string' && typeof item.mediaType === 'string';
}

/** Returns the same list if no item changed, and any other value unchanged. */
export function mapItems(value: unknown, change: (item: unknown) => unknown): unknown {
  if (!Array.isArray(value)) return value;
  const items = value.map(change);
  return items.every((item, index) => item === value[index]) ? value : items;
}

export function withValue(fields: s.JsonRecord, name: string, value: unknown): s.JsonRecord {
  return value === fields[name] ? fields : { ...fields, [name]: value };
}

function withText(fields: s.JsonRecord, name: string, kind: TextKind, change: TextChange): s.JsonRecord {
  const text = fields[name];
  return typeof text === 'string' ? withValue(fields, name, change(text, kind)) : fields;
}
