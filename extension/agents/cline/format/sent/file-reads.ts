import { parsedJson } from '../../../../platform/json/json-text';
import * as s from '../../../../platform/json/schemas';

const reading = { path: s.name, file_path: s.name, filePath: s.name, start_line: s.anything, end_line: s.anything };
const entryRecord = s.record({ ...reading, query: s.name });
const inputRecord = s.record({ ...reading, file_paths: s.texts, files: s.records(reading) });

type Reading = Pick<s.Read<typeof entryRecord>, keyof typeof reading>;

/** A file, or a range of its lines, that a tool read. `start` and `end` are null for a whole file. */
export interface FileRead {
  readonly path: string;
  readonly start: number | null;
  readonly end: number | null;
}

export function isWhole({ start, end }: FileRead): boolean {
  return start === null && end === null;
}

/** Equal for reads of the same lines. */
export function readKey(read: FileRead): string {
  return isWhole(read) ? read.path : `${read.path}:${read.start ?? 1}-${read.end ?? 'EOF'}`;
}

/** The reads that a result reports: as data, or as JSON in a text. */
export function readsInResult(content: unknown): FileRead[] {
  if (typeof content === 'string') return distinct(readsInText(content));
  return distinct(
    s.read(s.jsonRecords, content).flatMap((item) => {
      if (item.type === 'text') return readsInText(s.read(s.text, item.text));
      return isData(item) ? present(readInEntry(item)) : [];
    }),
  );
}

/** The reads that a call asks for. */
export function readsInInput(input: unknown): FileRead[] {
  const { file_paths: paths, files, ...fields } = s.read(inputRecord, input);
  const whole = paths.filter((path) => path !== '').map((path) => ({ path, start: null, end: null }));
  return distinct([...[fields, ...files].flatMap((request) => present(namedRead(request))), ...whole]);
}

/** Whether an item of a result is something other than text, an image or a file. */
export function isData(item: unknown): boolean {
  if (typeof item !== 'object' || item === null) return false;
  return !('type' in item && (item.type === 'text' || item.type === 'image' || item.type === 'file'));
}

/** The entries of a JSON text; null if the text is not JSON. */
export function entriesInText(text: string): unknown[] | null {
  const value = parsedJson(text);
  if (value === undefined) return null;
  return Array.isArray(value) ? value : [value];
}

export function readInEntry(entry: unknown): FileRead | null {
  const { query, ...fields } = s.read(entryRecord, entry);
  return namedRead(fields) ?? (query === null ? null : queriedRead(query));
}

function readsInText(text: string): FileRead[] {
  return (entriesInText(text) ?? []).flatMap((entry) => present(readInEntry(entry)));
}

function namedRead({ path, file_path, filePath, start_line: start, end_line: end }: Reading): FileRead | null {
  const named = path ?? file_path ?? filePath;
  return named === null ? null : { path: named, start: lineOf(start), end: lineOf(end) };
}

/** `path`, `path:3-9` or `path:3-EOF`. */
function queriedRead(query: string): FileRead {
  const [, path, start, end] = /^(.*):(\d+)-(EOF|\d+)$/.exec(query) ?? [];
  if (path === undefined) return { path: query, start: null, end: null };
  return { path, start: Number(start), end: end === 'EOF' ? null : Number(end) };
}

function lineOf(value: unknown): number | null {
  return typeof value === 'number' && Number.isInteger(value) ? value : null;
}

function present(read: FileRead | null): FileRead[] {
  return read === null ? [] : [read];
}

function distinct(reads: readonly FileRead[]): FileRead[] {
  return [...new Map(reads.map((read) => [readKey(read), read])).values()];
}
