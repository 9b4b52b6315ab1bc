import { asList, asName, asRecord, asRecords, type JsonRecord } from '../../records/json';

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
    asRecords(content).flatMap((item) => {
      if (item.type === 'text') return typeof item.text === 'string' ? readsInText(item.text) : [];
      return isData(item) ? present(readInEntry(item)) : [];
    }),
  );
}

/** The reads that a call asks for. */
export function readsInInput(input: unknown): FileRead[] {
  const fields = asRecord(input);
  if (fields === null) return [];
  const paths = asList(fields.file_paths).flatMap((path) => asName(path) ?? []);
  return distinct([
    ...[fields, ...asRecords(fields.files)].flatMap((request) => present(namedRead(request))),
    ...paths.map((path) => ({ path, start: null, end: null })),
  ]);
}

/** Whether an item of a result is neither a text nor an image nor a file. */
export function isData(item: unknown): boolean {
  const fields = typeof item === 'object' && item !== null ? (item as JsonRecord) : null;
  return fields !== null && fields.type !== 'text' && fields.type !== 'image' && fields.type !== 'file';
}

/** The entries of a JSON text; null if the text is not JSON. */
export function entriesInText(text: string): unknown[] | null {
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) ? value : [value];
  } catch {
    // The result is plain text.
    return null;
  }
}

export function readInEntry(entry: unknown): FileRead | null {
  const fields = asRecord(entry);
  if (fields === null) return null;
  const query = asName(fields.query);
  return namedRead(fields) ?? (query === null ? null : queriedRead(query));
}

function readsInText(text: string): FileRead[] {
  return (entriesInText(text) ?? []).flatMap((entry) => present(readInEntry(entry)));
}

function namedRead(fields: JsonRecord): FileRead | null {
  const path = asName(fields.path) ?? asName(fields.file_path) ?? asName(fields.filePath);
  return path === null ? null : { path, start: asLine(fields.start_line), end: asLine(fields.end_line) };
}

/** `path`, `path:3-9` or `path:3-EOF`. */
function queriedRead(query: string): FileRead {
  const [, path, start, end] = /^(.*):(\d+)-(EOF|\d+)$/.exec(query) ?? [];
  if (path === undefined) return { path: query, start: null, end: null };
  return { path, start: Number(start), end: end === 'EOF' ? null : Number(end) };
}

function asLine(value: unknown): number | null {
  return typeof value === 'number' && Number.isInteger(value) ? value : null;
}

function present(read: FileRead | null): FileRead[] {
  return read === null ? [] : [read];
}

function distinct(reads: readonly FileRead[]): FileRead[] {
  return [...new Map(reads.map((read) => [readKey(read), read])).values()];
}
