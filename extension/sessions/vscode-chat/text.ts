import { asList, asName, asRecord, asRecords, asText, type JsonRecord } from '../records/json';

/** VS Code writes texts as strings, as markdown objects, and thinking also as lists of strings. */
export function plainText(value: unknown): string {
  return Array.isArray(value) ? value.map(oneText).join('') : oneText(value);
}

function oneText(value: unknown): string {
  return asText(value) ?? asText(asRecord(value)?.value) ?? '';
}

/** A path for files, the complete URI for other resources; null if the value is not a URI. */
export function addressOf(value: unknown): string | null {
  if (typeof value === 'string') return asName(value);
  const fields = asRecord(value);
  if (fields === null) return null;
  const path = asName(fields.fsPath) ?? asName(fields.path);
  const scheme = asName(fields.scheme);
  if (path !== null) return scheme === null || scheme === 'file' ? path : (asName(fields.external) ?? path);
  return asName(fields.external);
}

/** A URI, or a location in a file: `src/a.ts:3-7`. */
export function locationText(value: unknown): string | null {
  const fields = asRecord(value);
  if (fields === null || asRecord(fields.uri) === null) return addressOf(value);
  const address = addressOf(fields.uri);
  return address === null ? null : `${address}${linesText(asRecord(fields.range))}`;
}

function linesText(range: JsonRecord | null): string {
  const start = range?.startLineNumber;
  const end = range?.endLineNumber;
  if (typeof start !== 'number') return '';
  return typeof end === 'number' && end !== start ? `:${start}-${end}` : `:${start}`;
}

const maximumDepth = 200;

/** The text of a tool result for the model: a string, or a prompt tree with the text in its leaves. */
export function leafText(value: unknown, depth = 0): string {
  if (typeof value === 'string') return value;
  if (depth > maximumDepth) return '';
  if (Array.isArray(value)) return value.map((item) => leafText(item, depth + 1)).join('');
  const fields = asRecord(value);
  if (fields === null) return '';
  return `${asText(fields.text) ?? ''}${leafText(fields.node, depth + 1)}${leafText(fields.children, depth + 1)}`;
}

/** A file tree, one item per line, indented by depth. */
export function treeText(tree: JsonRecord, depth = 0): string {
  if (depth > maximumDepth) return '';
  const label = asName(tree.label) ?? addressOf(tree.uri) ?? '';
  const below = asRecords(tree.children).map((child) => treeText(child, depth + 1));
  return [`${'  '.repeat(depth)}${label}`, ...below].join('\n');
}

/** Milliseconds since the epoch as ISO 8601; null if the value is not a time. */
export function timeText(value: unknown): string | null {
  // The maximum time of a Date.
  if (typeof value !== 'number' || !(Math.abs(value) <= 8.64e15)) return null;
  return new Date(value).toISOString();
}

export function textsOf(values: unknown): string[] {
  return asList(values)
    .map(locationText)
    .filter((text) => text !== null);
}

/** The input of a tool. If the text is not JSON, the text itself is the input. */
export function parsedOrText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The text is not JSON.
    return text;
  }
}
