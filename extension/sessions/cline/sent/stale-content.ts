import { asList, asRecord, asText, type JsonRecord } from '../../records/json';
import { cutResult } from './cut';
import { entriesInText, isData, type Reading, readingInEntry, readingKey, readingsInResult } from './readings';
import { mapValue } from './texts';

/** What stands in place of a file's text that a later result has anew. */
const staleText = '[outdated - see the latest file content]';

/** What a result says in front of a picture that it read. */
const pictureRead = 'Successfully read image';

/** By their keys. */
export type Readings = ReadonlyMap<string, Reading>;

/** A result without these readings. */
export function withoutReadings(content: unknown, stale: Readings): unknown {
  if (typeof content === 'string') return textWithout(content, stale);
  if (!Array.isArray(content)) return content;
  const paths = new Set([...stale.values()].map(({ path }) => path));
  let pictures = stalePictures(content, stale);
  return content.map((item: unknown) => {
    const fields = asRecord(item);
    if (fields?.type === 'image') {
      pictures -= 1;
      return pictures >= 0 ? { type: 'text', text: staleText } : item;
    }
    if (fields?.type === 'file') return paths.has(asText(fields.path) ?? '') ? { ...fields, content: staleText } : item;
    if (fields?.type === 'text') return { ...fields, text: textWithout(asText(fields.text) ?? '', stale) };
    return entryWithout(item, stale);
  });
}

/** Bytes of a request that would be spared without these readings, as Cline reckons them. */
export function bytesOfReadings(content: unknown, stale: Readings): number {
  const told = readingsInResult(content).map(readingKey);
  const isAll = told.every((key) => stale.has(key));
  const ofText = (text: string) => {
    const entries = entriesInText(text);
    if (entries === null) return isAll ? bytesOf(cutResult(text)) : 0;
    return sum(entries.map((entry) => bytesOfEntry(entry, stale)));
  };
  if (typeof content === 'string') return ofText(content);
  let pictures = stalePictures(content, stale);
  return sum(
    asList(content).map((item) => {
      const fields = asRecord(item);
      if (fields?.type === 'text') return ofText(asText(fields.text) ?? '');
      if (fields?.type === 'file') {
        return stale.has(asText(fields.path) ?? '') ? bytesOf(cutResult(asText(fields.content) ?? '')) : 0;
      }
      if (fields?.type !== 'image') return bytesOfEntry(item, stale);
      pictures -= 1;
      return pictures >= 0 ? bytesOf(asText(fields.data) ?? '') : 0;
    }),
  );
}

function textWithout(text: string, stale: Readings): string {
  const entries = entriesInText(text);
  if (entries === null) return staleText;
  const left = entries.map((entry) => entryWithout(entry, stale));
  return JSON.stringify(/^\s*\[/.test(text) ? left : left[0]);
}

function entryWithout(entry: unknown, stale: Readings): unknown {
  const fields = asRecord(entry);
  if (fields === null || !isStale(entry, stale)) return entry;
  const isContent = typeof fields.result !== 'string' && typeof fields.content === 'string';
  return { ...fields, [isContent ? 'content' : 'result']: staleText };
}

function isStale(entry: unknown, stale: Readings): boolean {
  const reading = readingInEntry(entry);
  return reading !== null && stale.has(readingKey(reading));
}

/** Pictures stand behind the text that names them, in the same order. */
function stalePictures(content: unknown, stale: Readings): number {
  const texts = asList(content).flatMap((item): string[] => {
    const fields = asRecord(item);
    return fields?.type === 'text' && typeof fields.text === 'string' ? [fields.text] : [];
  });
  const entries = texts.flatMap((text) => entriesInText(text) ?? []);
  return entries.filter((entry) => isStale(entry, stale) && saysPictureRead(asRecord(entry) ?? {})).length;
}

function saysPictureRead({ result, content }: JsonRecord): boolean {
  return result === pictureRead || content === pictureRead;
}

function bytesOfEntry(entry: unknown, stale: Readings): number {
  if (!isData(entry) || !isStale(entry, stale)) return 0;
  return bytesOf(JSON.stringify(mapValue(entry, 'result', cutResult)));
}

export function bytesOf(text: string): number {
  return Buffer.byteLength(text, 'utf8');
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
