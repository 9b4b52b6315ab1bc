import { asList, asName, asRecord, asRecords, type JsonRecord } from '../../records/json';

/** A file, or lines of it, that a tool read. Both ends are null where it was the whole file. */
export interface Reading {
  readonly path: string;
  readonly start: number | null;
  readonly end: number | null;
}

export function isWhole({ start, end }: Reading): boolean {
  return start === null && end === null;
}

/** Readings of the same lines have the same. */
export function readingKey(reading: Reading): string {
  return isWhole(reading) ? reading.path : `${reading.path}:${reading.start ?? 1}-${reading.end ?? 'EOF'}`;
}

/** What was read, as the result tells it: data, or data as JSON in a text. */
export function readingsInResult(content: unknown): Reading[] {
  if (typeof content === 'string') return distinct(readingsInText(content));
  return distinct(
    asRecords(content).flatMap((item) => {
      if (item.type === 'text') return typeof item.text === 'string' ? readingsInText(item.text) : [];
      return isData(item) ? present(readingInEntry(item)) : [];
    }),
  );
}

/** What was to be read, as the call tells it. */
export function readingsInInput(input: unknown): Reading[] {
  const fields = asRecord(input);
  if (fields === null) return [];
  const paths = asList(fields.file_paths).flatMap((path) => asName(path) ?? []);
  return distinct([
    ...[fields, ...asRecords(fields.files)].flatMap((request) => present(namedReading(request))),
    ...paths.map((path) => ({ path, start: null, end: null })),
  ]);
}

/** Items of a result that are no text, picture or file. */
export function isData(item: unknown): boolean {
  const fields = typeof item === 'object' && item !== null ? (item as JsonRecord) : null;
  return fields !== null && fields.type !== 'text' && fields.type !== 'image' && fields.type !== 'file';
}

/** The entries of a text that is JSON; null where it is none. */
export function entriesInText(text: string): unknown[] | null {
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) ? value : [value];
  } catch {
    // A result that is plain text.
    return null;
  }
}

export function readingInEntry(entry: unknown): Reading | null {
  const fields = asRecord(entry);
  if (fields === null) return null;
  const query = asName(fields.query);
  return namedReading(fields) ?? (query === null ? null : queriedReading(query));
}

function readingsInText(text: string): Reading[] {
  return (entriesInText(text) ?? []).flatMap((entry) => present(readingInEntry(entry)));
}

function namedReading(fields: JsonRecord): Reading | null {
  const path = asName(fields.path) ?? asName(fields.file_path) ?? asName(fields.filePath);
  return path === null ? null : { path, start: asLine(fields.start_line), end: asLine(fields.end_line) };
}

/** `path`, `path:3-9` or `path:3-EOF`. */
function queriedReading(query: string): Reading {
  const [, path, start, end] = /^(.*):(\d+)-(EOF|\d+)$/.exec(query) ?? [];
  if (path === undefined) return { path: query, start: null, end: null };
  return { path, start: Number(start), end: end === 'EOF' ? null : Number(end) };
}

function asLine(value: unknown): number | null {
  return typeof value === 'number' && Number.isInteger(value) ? value : null;
}

function present(reading: Reading | null): Reading[] {
  return reading === null ? [] : [reading];
}

function distinct(readings: readonly Reading[]): Reading[] {
  return [...new Map(readings.map((reading) => [readingKey(reading), reading])).values()];
}
