import { sum } from '../../../../engine/conversation/whole-tokens';
import * as s from '../../../../platform/json/schemas';
import { fileBlock } from '../content';
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
    if (!s.isRecord(item)) return item;
    switch (item.type) {
      case 'image':
        images -= 1;
        return images >= 0 ? { type: 'text', text: staleText } : item;
      case 'file':
        return paths.has(s.read(s.text, item.path)) ? { ...item, content: staleText } : item;
      case 'text':
        return { ...item, text: textWithout(s.read(s.text, item.text), stale) };
      default:
        return entryWithout(item, stale);
    }
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
    s.read(s.list, content).map((item) => {
      if (!s.isRecord(item)) return bytesOfEntry(item, stale);
      if (item.type === 'text') return ofText(s.read(s.text, item.text));
      if (item.type === 'file') {
        const { path, content: file } = s.read(fileBlock, item);
        return stale.has(path) ? bytesOf(cutResult(file)) : 0;
      }
      if (item.type !== 'image') return bytesOfEntry(item, stale);
      images -= 1;
      return images >= 0 ? bytesOf(s.read(s.text, item.data)) : 0;
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
  if (!s.isRecord(entry) || !isStale(entry, stale)) return entry;
  const isContent = typeof entry.result !== 'string' && typeof entry.content === 'string';
  return { ...entry, [isContent ? 'content' : 'result']: staleText };
}

function isStale(entry: unknown, stale: FileReads): boolean {
  const read = readInEntry(entry);
  return read !== null && stale.has(readKey(read));
}

/** Images follow the text that names them, in the same order. */
function staleImages(content: unknown, stale: FileReads): number {
  const texts = s.read(s.jsonRecords, content).filter(({ type }) => type === 'text');
  const entries = texts.flatMap(({ text }) => entriesInText(s.read(s.text, text)) ?? []);
  return entries.filter((entry) => isStale(entry, stale) && reportsImageRead(entry)).length;
}

function reportsImageRead(entry: unknown): boolean {
  return s.isRecord(entry) && (entry.result === imageReadText || entry.content === imageReadText);
}

function bytesOfEntry(entry: unknown, stale: FileReads): number {
  if (!isData(entry) || !isStale(entry, stale)) return 0;
  return bytesOf(JSON.stringify(mapValue(entry, 'result', cutResult)));
}

export function bytesOf(text: string): number {
  return Buffer.byteLength(text, 'utf8');
}
