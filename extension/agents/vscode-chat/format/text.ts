import * as s from '../../../platform/json/schemas';

/** VS Code writes texts as strings, as markdown objects, and thinking also as lists of strings. */
export function plainText(value: unknown): string {
  return Array.isArray(value) ? value.map(oneText).join('') : oneText(value);
}

const markdown = s.record({ value: s.text });

function oneText(value: unknown): string {
  return typeof value === 'string' ? value : s.read(markdown, value).value;
}

const uriRecord = s.record({ fsPath: s.name, path: s.name, scheme: s.name, external: s.name });

/** A path for files, the complete URI for other resources; null if the value is not a URI. */
export function addressOf(value: unknown): string | null {
  if (typeof value === 'string') return value === '' ? null : value;
  const { fsPath, path, scheme, external } = s.read(uriRecord, value);
  const isFile = scheme === null || scheme === 'file';
  return isFile ? (fsPath ?? path ?? external) : (external ?? fsPath ?? path);
}

const locationRecord = s.record({
  uri: s.jsonRecord,
  range: s.record({ startLineNumber: s.count, endLineNumber: s.count }),
});

/** A URI, or a location in a file: `src/a.ts:3-7`. */
export function locationText(value: unknown): string | null {
  const { uri, range } = s.read(locationRecord, value);
  if (uri === null) return addressOf(value);
  const address = addressOf(uri);
  const { startLineNumber: start, endLineNumber: end } = range;
  if (address === null || start === null) return address;
  return end === null || end === start ? `${address}:${start}` : `${address}:${start}-${end}`;
}

const maximumDepth = 200;

const promptNode = s.record({ text: s.text, node: s.anything, children: s.anything });

/** The text of a tool result for the model: a string, or a prompt tree with the text in its leaves. */
export function leafText(value: unknown, depth = 0): string {
  if (typeof value === 'string') return value;
  if (depth > maximumDepth) return '';
  if (Array.isArray(value)) return value.map((item) => leafText(item, depth + 1)).join('');
  if (!s.isRecord(value)) return '';
  const { text, node, children } = s.read(promptNode, value);
  return `${text}${leafText(node, depth + 1)}${leafText(children, depth + 1)}`;
}

const treeItem = s.record({ label: s.name, uri: s.anything, children: s.jsonRecords });

/** A file tree, one item per line, indented by depth. */
export function treeText(tree: unknown, depth = 0): string {
  if (depth > maximumDepth) return '';
  const { label, uri, children } = s.read(treeItem, tree);
  const below = children.map((child) => treeText(child, depth + 1));
  return [`${'  '.repeat(depth)}${label ?? addressOf(uri) ?? ''}`, ...below].join('\n');
}

export function locationTexts(values: readonly unknown[]): string[] {
  return values.map(locationText).filter((text) => text !== null);
}
