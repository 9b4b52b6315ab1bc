import { asRecord, type JsonRecord } from '../../records/json';
import { shownInput } from '../../records/tool-input';

/** What a text of a message belongs to. `file`: a file attached to a prompt; `input`: a tool call; `result`: its result. */
export type TextKind = 'prompt' | 'thinking' | 'reply' | 'file' | 'input' | 'result';

export type TextChange = (text: string, kind: TextKind) => string;

/** Changes the texts of a message's content, in order. Returns the same object if no text changed. */
export function mapTexts(role: unknown, content: unknown, change: TextChange): unknown {
  const own = role === 'assistant' ? 'reply' : 'prompt';
  if (typeof content === 'string') return change(content, own);
  return mapItems(content, (item) => {
    const block = asRecord(item);
    return block === null ? item : mapBlock(block, own, change);
  });
}

function mapBlock(block: JsonRecord, own: TextKind, change: TextChange): JsonRecord {
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
    const fields = asRecord(item);
    if (fields?.type === 'text') return withText(fields, 'text', 'result', change);
    if (fields?.type === 'file') return withText(fields, 'content', 'result', change);
    return fields?.type === 'image' ? item : mapValue(item, 'result', change);
  });
}

/** Changes all texts of a value. A value that is nested too deeply to be shown is left unchanged. */
export function mapValue(value: unknown, kind: TextKind, change: TextChange): unknown {
  return shownInput(value) === value ? mapNested(value, kind, change) : value;
}

function mapNested(value: unknown, kind: TextKind, change: TextChange): unknown {
  if (typeof value === 'string') return change(value, kind);
  if (Array.isArray(value)) return mapItems(value, (item) => mapNested(item, kind, change));
  const fields = asRecord(value);
  if (fields === null || isImage(fields)) return value;
  const entries = Object.entries(fields).map(([name, field]) => [name, mapNested(field, kind, change)] as const);
  return entries.every(([name, field]) => field === fields[name]) ? value : Object.fromEntries(entries);
}

export function isImage(fields: JsonRecord): boolean {
  return fields.type === 'image' && typeof fields.data === 'string' && typeof fields.mediaType === 'string';
}

/** Returns the same list if no item changed, and any other value unchanged. */
export function mapItems(value: unknown, change: (item: unknown) => unknown): unknown {
  if (!Array.isArray(value)) return value;
  const items = value.map(change);
  return items.every((item, index) => item === value[index]) ? value : items;
}

export function withValue(fields: JsonRecord, name: string, value: unknown): JsonRecord {
  return value === fields[name] ? fields : { ...fields, [name]: value };
}

function withText(fields: JsonRecord, name: string, kind: TextKind, change: TextChange): JsonRecord {
  const text = fields[name];
  return typeof text === 'string' ? withValue(fields, name, change(text, kind)) : fields;
}
