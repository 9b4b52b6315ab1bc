import { isDeepStrictEqual } from 'node:util';
import {
  applyEdits,
  findNodeAtLocation,
  getNodeValue,
  type JSONPath,
  modify,
  type Node,
  type ParseError,
  parseTree,
  printParseErrorCode,
} from 'jsonc-parser';
import { OperationRefused } from '../../engine/journal/operation-refused';
import type { JsonDefault, JsonItem, JsonValue } from './agent-setup';

type JsonEdit = JsonValue | JsonDefault | JsonItem;

/** The text with the value added. Text is only inserted; the rest is unchanged. */
export function withJson(text: string, edit: JsonEdit): string {
  if (text.trim() === '') return `${JSON.stringify(nested(edit.path, edit), null, 2)}\n`;
  const tree = parsed(text, edit.file);
  const { node, rest } = deepest(tree, edit.path);
  const name = edit.path.slice(0, edit.path.length - rest.length).join('.');
  if (rest.length > 0) {
    const [property = '', ...further] = rest;
    if (node.type === 'object') return inserted(text, node, `"${property}": `, nested(further, edit));
    throw new OperationRefused('{0}: {1} is not an object, so nothing can be added to it.', [edit.file, name]);
  }
  if (edit.kind === 'json-default') return text;
  if (edit.kind === 'json-value') {
    throw new OperationRefused('{0} has {1} already, and Strata did not write it. Rename or remove it first.', [
      edit.file,
      name,
    ]);
  }
  if (node.type === 'array') return inserted(text, node, '', edit.value);
  throw new OperationRefused('{0}: {1} is not a list.', [edit.file, name]);
}

/** The innermost existing value on the path, and the rest of the path. */
function deepest(tree: Node, path: readonly string[]): { readonly node: Node; readonly rest: readonly string[] } {
  for (let length = path.length; length > 0; length -= 1) {
    const node = findNodeAtLocation(tree, path.slice(0, length));
    if (node) return { node, rest: path.slice(length) };
  }
  return { node: tree, rest: path };
}

/** The text with one more child at the end of an object or list, formatted like its neighbours. */
function inserted(text: string, { offset, length, children = [] }: Node, name: string, value: unknown): string {
  const last = children.at(-1);
  const at = last ? last.offset + last.length : offset + 1;
  const isSpread = /\n/.test(text.slice(offset, offset + length)) || (!last && /\n/.test(text));
  const comma = last ? ',' : '';
  if (!isSpread) return spliced(text, at, `${comma}${last ? ' ' : ''}${name}${JSON.stringify(value)}`);
  const { unit, end } = styleOf(text);
  const outer = indentationAt(text, offset);
  const inner = last ? indentationAt(text, last.offset) : outer + unit;
  const lines = `${name}${JSON.stringify(value, null, unit)}`.split('\n').join(end + inner);
  const closing = last || /^\s*\n/.test(text.slice(at, offset + length)) ? '' : end + outer;
  return spliced(text, at, `${comma}${end}${inner}${lines}${closing}`);
}

function spliced(text: string, at: number, addition: string): string {
  return text.slice(0, at) + addition + text.slice(at);
}

/** White space at the beginning of the line. */
function indentationAt(text: string, at: number): string {
  const start = text.lastIndexOf('\n', at - 1) + 1;
  return /^[ \t]*/.exec(text.slice(start))?.[0] ?? '';
}

function styleOf(text: string): { readonly unit: string; readonly end: string } {
  return { unit: /^([ \t]+)\S/m.exec(text)?.[1] ?? '  ', end: text.includes('\r\n') ? '\r\n' : '\n' };
}

/** The text without the value, and without surrounding objects and lists that this leaves empty and that did not exist `before`. */
export function withoutJson(text: string, edit: JsonEdit, before: string): string {
  const tree = parsed(text, edit.file);
  const place = placeOf(edit, tree);
  if (place === null) return text;
  return withoutEmpty(
    without(text, place),
    edit.path.slice(0, edit.kind === 'json-item' ? edit.path.length : -1),
    before,
    edit.file,
  );
}

function placeOf(edit: JsonEdit, tree: Node): JSONPath | null {
  // Keeps what existed before the setup, and what others have added since.
  if (edit.kind === 'json-default') return null;
  const path = [...edit.path];
  const node = findNodeAtLocation(tree, path);
  if (node === undefined) return null;
  if (edit.kind !== 'json-item') return path;
  const index = node.children?.findIndex((child) => isDeepStrictEqual(getNodeValue(child), edit.value)) ?? -1;
  return index < 0 ? null : [...path, index];
}

function withoutEmpty(text: string, path: readonly string[], before: string, file: string): string {
  if (path.length === 0) return text;
  const known = before.trim() === '' ? undefined : findNodeAtLocation(parsed(before, file), [...path]);
  const node = findNodeAtLocation(parsed(text, file), [...path]);
  if (known !== undefined || node === undefined || (node.children?.length ?? 0) > 0) return text;
  return withoutEmpty(without(text, [...path]), path.slice(0, -1), before, file);
}

function nested(path: readonly string[], { kind, value }: JsonEdit): unknown {
  return path.reduceRight<unknown>((inner, name) => ({ [name]: inner }), kind === 'json-item' ? [value] : value);
}

function without(text: string, path: JSONPath): string {
  return applyEdits(text, modify(text, path, undefined, {}));
}

function parsed(text: string, file: string): Node {
  const errors: ParseError[] = [];
  const tree = parseTree(text, errors, { allowTrailingComma: true });
  const [error] = errors;
  if (error === undefined && tree?.type === 'object') return tree;
  const line = text.slice(0, error?.offset ?? 0).split('\n').length;
  const reason = error === undefined ? 'no object' : printParseErrorCode(error.error);
  throw new OperationRefused('{0}:{1}: this is not valid JSON ({2}), so Strata does not change it.', [
    file,
    line,
    reason,
  ]);
}
