import { asList, asRecord, asText, type JsonRecord } from '../../records/json';
import { cutResult } from './cut';
import { entriesInText, type FileRead, isData, readInEntry, readKey, readsInResult } from './file-reads';
import { mapValue } from './texts';

/** Cline's replacement for a file's text that a later result contains again. */
const staleText = '[outdated - see the latest file content]';

/** The text of a result before the image that it read. */
const imageReadText = 'Successfully read image';

/** By key. */
export type FileReads = ReadonlyMap<string, FileRead>;

/** The content of a result without these reads. */
export function withoutReads(content: unknown, stale: FileReads): unknown {
  if (typeof content === 'string') return textWithout(content, stale);
  if (!Array.isArray(content)) return content;
  const paths = new Set([...stale.values()].map(({ path }) => path));
  let images = staleImages(content, stale);
  return content.map((item: unknown) => {
    const fields = asRecord(item);
    if (fields?.type === 'image') {
      images -= 1;
      return images >= 0 ? { type: 'text', text: staleText } : item;
    }
    if (fields?.type === 'file') return paths.has(asText(fields.path) ?? '') ? { ...fields, content: staleText } : item;
    if (fields?.type === 'text') return { ...fields, text: textWithout(asText(fields.text) ?? '', stale) };
    return entryWithout(item, stale);
  });
}

/** Bytes that a request saves without these reads, as Cline calculates them. */
export function bytesOfReads(content: unknown, stale: FileReads): number {
  const reported = readsInResult(content).map(readKey);
  const isAll = reported.every((key) => stale.has(key));
  const ofText = (text: string) => {
    const entries = entriesInText(text);
    if (entries === null) return isAll ? bytesOf(cutResult(text)) : 0;
    return sum(entries.map((entry) => bytesOfEntry(entry, stale)));
  };
  if (typeof content === 'string') return ofText(content);
  let images = staleImages(content, stale);
  return sum(
    asList(content).map((item) => {
      const fields = asRecord(item);
      if (fields?.type === 'text') return ofText(asText(fields.text) ?? '');
      if (fields?.type === 'file') {
        return stale.has(asText(fields.path) ?? '') ? bytesOf(cutResult(asText(fields.content) ?? '')) : 0;
      }
      if (fields?.type !== 'image') return bytesOfEntry(item, stale);
      images -= 1;
      return images >= 0 ? bytesOf(asText(fields.data) ?? '') : 0;
    }),
  );
}

function textWithout(text: string, stale: FileReads): string {
  const entries = entriesInText(text);
  if (entries === null) return staleText;
  const left = entries.map((entry) => entryWithout(entry, stale));
  return JSON.stringify(/^\s*\[/.test(text) ? left : left[0]);
}

function entryWithout(entry: unknown, stale: FileReads): unknown {
  const fields = asRecord(entry);
  if (fields === null || !isStale(entry, stale)) return entry;
  const isContent = typeof fields.result !== 'string' && typeof fields.content === 'string';
  return { ...fields, [isContent ? 'content' : 'result']: staleText };
}

function isStale(entry: unknown, stale: FileReads): boolean {
  const read = readInEntry(entry);
  return read !== null && stale.has(readKey(read));
}

/** Images follow the text that names them, in the same order. */
function staleImages(content: unknown, stale: FileReads): number {
  const texts = asList(content).flatMap((item): string[] => {
    const fields = asRecord(item);
    return fields?.type === 'text' && typeof fields.text === 'string' ? [fields.text] : [];
  });
  const entries = texts.flatMap((text) => entriesInText(text) ?? []);
  return entries.filter((entry) => isStale(entry, stale) && reportsImageRead(asRecord(entry) ?? {})).length;
}

function reportsImageRead({ result, content }: JsonRecord): boolean {
  return result === imageReadText || content === imageReadText;
}

function bytesOfEntry(entry: unknown, stale: FileReads): number {
  if (!isData(entry) || !isStale(entry, stale)) return 0;
  return bytesOf(JSON.stringify(mapValue(entry, 'result', cutResult)));
}

export function bytesOf(text: string): number {
  return Buffer.byteLength(text, 'utf8');
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
