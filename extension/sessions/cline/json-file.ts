import { type NoFile, withFile } from '../files/with-file';

/** Bytes. More than that does not fit into one text. */
const mostBytes = 400 * 1024 * 1024;

export interface JsonFile {
  readonly kind: 'json';
  readonly text: string;
  readonly value: unknown;
  /** Milliseconds since the epoch. */
  readonly modified: number;
}

export type JsonFileReading =
  | JsonFile
  /** Cut off, damaged, or just being written. */
  | { readonly kind: 'broken'; readonly line: number; readonly message: string }
  | { readonly kind: 'empty'; readonly message: string }
  | NoFile;

export async function readJsonFile(file: string): Promise<JsonFileReading> {
  return await withFile<JsonFileReading>(file, async (handle, stats) => {
    if (stats.size > mostBytes) return { kind: 'unreadable', message: `${file} is larger than 400 MB` };
    const text = (await handle.readFile('utf8')).replace(/^\uFEFF/, '');
    if (text.trim() === '') return { kind: 'empty', message: `${file} is empty` };
    try {
      return { kind: 'json', text, value: JSON.parse(text), modified: stats.mtimeMs };
    } catch {
      // The parser's own message quotes the file.
      const line = text.trimEnd().split('\n').length;
      return { kind: 'broken', line, message: `${file} is not valid JSON up to its end: cut off, or damaged` };
    }
  });
}
