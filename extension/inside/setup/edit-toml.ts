import { isDeepStrictEqual } from 'node:util';
import { parse, stringify, TomlError } from 'smol-toml';
import { OperationRefused } from '../../engine/journal/operation-refused';
import type { TomlTable } from './agent-setup';

const mark = '# Added by `strata setup`; `strata setup --remove` removes it.';

/** The text with the table added at its end. A parser checks that nothing else changed. */
export function withToml(text: string, edit: TomlTable): string {
  const before = parsed(text, edit.file);
  if (valueAt(before, edit.path) !== undefined) {
    throw new OperationRefused('{0} has {1} already, and Strata did not write it. Rename or remove it first.', [
      edit.file,
      edit.path.join('.'),
    ]);
  }
  const end = /\r\n/.test(text) ? '\r\n' : '\n';
  const gap = text === '' ? '' : text.endsWith('\n') ? end : end + end;
  const table = stringify(withValueAt({}, edit.path, edit.values)).trimEnd();
  const lines = [mark, ...table.split('\n')].filter((line) => line !== '');
  const after = `${text}${gap}${lines.join(end)}${end}`;
  const wanted = withValueAt(before, edit.path, edit.values);
  if (isDeepStrictEqual(plain(valuesOf(after)), plain(wanted))) return after;
  throw new OperationRefused('{0}: the table {1} cannot be added, because a part of it is written inline.', [
    edit.file,
    edit.path.join('.'),
  ]);
}

/** The text without the table and the tables in it. */
export function withoutToml(text: string, edit: TomlTable): string {
  if (valueAt(parsed(text, edit.file), edit.path) === undefined) return text;
  const left: string[] = [];
  let isOurs = false;
  for (const line of text.split(/(?<=\n)/)) {
    const header = /^\s*\[+\s*([^\]]+?)\s*\]/.exec(line)?.[1];
    if (header !== undefined) isOurs = isWithin(header, edit.path);
    if (!isOurs && line.trim() !== mark) left.push(line);
  }
  const after = left.join('');
  if (valueAt(parsed(after, edit.file), edit.path) === undefined) return after;
  throw new OperationRefused('{0}: the table {1} no longer has the form in which Strata wrote it. Remove it by hand.', [
    edit.file,
    edit.path.join('.'),
  ]);
}

function isWithin(header: string, path: readonly string[]): boolean {
  const names = header.split('.').map((name) => name.trim().replace(/^["']|["']$/g, ''));
  return path.every((name, index) => names[index] === name);
}

function valueAt(table: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>((value, name) => (isTable(value) ? value[name] : undefined), table);
}

function withValueAt(table: Record<string, unknown>, [name = '', ...rest]: readonly string[], value: unknown) {
  const inner = table[name];
  const nextValue: unknown = rest.length === 0 ? value : withValueAt(isTable(inner) ? inner : {}, rest, value);
  return { ...table, [name]: nextValue };
}

function isTable(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Null if it is not TOML. */
function valuesOf(text: string): unknown {
  try {
    return parse(text, { integersAsBigInt: 'asNeeded' });
  } catch {
    return null;
  }
}

/** Without the parser's own prototypes. */
function plain(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value, (_, item) => (typeof item === 'bigint' ? String(item) : item)));
}

function parsed(text: string, file: string): Record<string, unknown> {
  try {
    return parse(text, { integersAsBigInt: 'asNeeded' });
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    const [reason = ''] = error.message.split('\n');
    throw new OperationRefused('{0}:{1}: this is not valid TOML ({2}), so Strata does not change it.', [
      file,
      error.line,
      reason,
    ]);
  }
}
