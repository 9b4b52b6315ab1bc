import { type LocalizableText, localizable } from '../../../engine/wording/localizable-text';
import { type NoFile, withFile } from '../../../platform/files/with-file';
import { parsedJson } from '../../../platform/json/json-text';

/** Maximum file size in bytes; JavaScript strings are limited to about 512 MB. */
const maximumBytes = 400 * 1024 * 1024;

export interface JsonFile {
  readonly kind: 'json';
  readonly text: string;
  readonly value: unknown;
  /** Modification time in milliseconds since the epoch. */
  readonly modified: number;
}

export type JsonFileReading =
  | JsonFile
  /** Truncated, damaged, or being written. */
  | { readonly kind: 'broken'; readonly line: number; readonly message: LocalizableText }
  | { readonly kind: 'empty'; readonly message: LocalizableText }
  | NoFile;

export async function readJsonFile(file: string): Promise<JsonFileReading> {
  return await withFile<JsonFileReading>(file, async (handle, stats) => {
    if (stats.size > maximumBytes)
      return { kind: 'unreadable', message: localizable('{0} is larger than 400 MB', file) };
    const text = (await handle.readFile()).toString('utf8').replace(/^\uFEFF/, '');
    if (text.trim() === '') return { kind: 'empty', message: localizable('{0} is empty', file) };
    const value = parsedJson(text);
    if (value !== undefined) return { kind: 'json', text, value, modified: stats.mtimeMs };
    const line = text.trimEnd().split('\n').length;
    return { kind: 'broken', line, message: localizable('{0} is not valid JSON: it is truncated or damaged', file) };
  });
}
