import { constants } from 'node:fs';
import { type FileHandle, mkdir, open, readdir, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { appendOrTakeBack, withLock } from '../../platform/files/locked-append';
import { privateFile, privateFolder } from '../../platform/files/private-modes';
import { sha256Of } from '../../platform/files/sha256';
import { orIfMissing } from '../../platform/files/with-file';
import { RecentMap } from '../../platform/recent-map';
import { safeName } from '../../sessions/strata/places';
import {
  beginning,
  type Header,
  headerIn,
  headerLine,
  type Place,
  type ReadLines,
  readLines,
  recordLines,
} from './folder-lines';
import type { RecordKey, RecordStore, StoredConversation } from './record-store';

/** The part of a file that was read. A file that was deleted and begun again has another inode. */
interface Known {
  readonly inode: number;
  readonly end: Place;
  readonly lastLine: Place;
}

interface Tail extends ReadLines {
  readonly size: number;
}

/** Number of files whose ends are remembered. */
const mostKnown = 10_000;

/** A store in a folder, one file for each conversation. A write is on the disk when it resolves. Processes of one machine may share it. */
export function folderStore({ folder }: { readonly folder: string }): RecordStore {
  const known = new RecentMap<string, Known>(mostKnown);
  const headers = new Map<string, Header>();

  /** `from`: everything after this place is read again, even if it is known. */
  async function tailOf(file: FileHandle, path: string, from = Number.POSITIVE_INFINITY): Promise<Tail> {
    const { size, ino } = await file.stat();
    const last = known.get(path);
    const places = last?.inode === ino && last.end.bytes <= size ? [last.end, last.lastLine] : [];
    const start = places.find(({ length }) => length <= from) ?? beginning;
    const buffer = Buffer.alloc(size - start.bytes);
    const { bytesRead } = await file.read(buffer, 0, buffer.length, start.bytes);
    const read = readLines(buffer.subarray(0, bytesRead), start, path);
    if (read.known !== null) known.set(path, { inode: ino, ...read.known });
    return { ...read, size };
  }

  async function recordsFrom(file: FileHandle, path: string, from: number): Promise<readonly string[]> {
    const { records, length } = await tailOf(file, path, from);
    return records.slice(Math.max(0, from - (length - records.length)));
  }

  async function write(path: string, expected: number, records: readonly string[], header: Omit<Header, 'type'>) {
    const file = await open(path, constants.O_RDWR | constants.O_APPEND | constants.O_CREAT, privateFile);
    try {
      const { length, bytes, size, endsLine } = await tailOf(file, path);
      if (length !== expected) return { kind: 'moved' } as const;
      // A killed writer left an incomplete append.
      if (bytes < size) await file.truncate(bytes);
      const lacksHeader = bytes === 0 || (await headerOf(path)) === null;
      const lines = `${endsLine ? '' : '\n'}${lacksHeader ? headerLine(header) : ''}${recordLines(records, expected)}`;
      await appendOrTakeBack(file, bytes, Buffer.from(lines), true);
      await tailOf(file, path);
      return { kind: 'appended' } as const;
    } finally {
      await file.close();
    }
  }

  async function headerOf(path: string): Promise<Header | null> {
    const cached = headers.get(path);
    if (cached) return cached;
    const header = await withReading(path, async (file) => {
      const lines = file.readLines({ autoClose: false });
      for await (const line of lines) {
        // If a header is damaged, another one follows.
        const found = headerIn(line);
        if (found !== null) return found;
      }
      return null;
    });
    if (header !== null) headers.set(path, header);
    return header;
  }

  async function stored(path: string): Promise<StoredConversation | null> {
    const found = await withReading(path, async (file) => {
      const { length } = await tailOf(file, path);
      return { length, updated: (await file.stat()).mtime.toISOString() };
    });
    if (found === null || found.length === 0) return null;
    const about = (await headerOf(path)) ?? withoutHeader(path, found.updated);
    if (about === null) return null;
    const { id, begins, name, created } = about;
    return { id, begins, name, created, ...found };
  }

  async function list(scope: string, isWanted: (header: Header | null) => boolean): Promise<StoredConversation[]> {
    const found: StoredConversation[] = [];
    for (const path of await filesIn(join(folder, scopeName(scope)))) {
      const one = isWanted(await headerOf(path)) ? await stored(path) : null;
      if (one !== null) found.push(one);
    }
    return found;
  }

  const pathOf = ({ scope, id }: RecordKey) => join(folder, scopeName(scope), `${hashedName(id)}.jsonl`);

  async function remove(path: string, isAsked: () => Promise<boolean>): Promise<boolean> {
    return await withLock(`${path}.lock`, async () => {
      if (!(await isAsked())) return false;
      await rm(path, { force: true });
      headers.delete(path);
      known.delete(path);
      return true;
    });
  }

  return {
    async read(key, from) {
      const path = pathOf(key);
      return (await withReading(path, (file) => recordsFrom(file, path, from))) ?? [];
    },
    async append(key, expected, records, { begins, name, created }) {
      const path = pathOf(key);
      const header = { ...key, begins, name, created };
      if (expected === 0) await mkdir(dirname(path), { recursive: true, mode: privateFolder });
      else if ((await timeOf(path)) === null) return { kind: 'moved' };
      return await withLock(`${path}.lock`, () => write(path, expected, records, header));
    },
    find: (scope, beginnings) => list(scope, (header) => header !== null && beginnings.includes(header.begins)),
    list: (scope) => list(scope, () => true),
    async delete(key) {
      if ((await timeOf(pathOf(key))) !== null) await remove(pathOf(key), async () => true);
    },
    async prune(before) {
      let deleted = 0;
      const time = new Date(before).toISOString();
      const isOld = async (path: string) => ((await timeOf(path)) ?? time) < time;
      for (const scope of await namesIn(folder)) {
        for (const path of await filesIn(join(folder, scope))) {
          if ((await isOld(path)) && (await remove(path, () => isOld(path)))) deleted += 1;
        }
      }
      return deleted;
    },
    close: async () => undefined,
  };
}

function scopeName(scope: string): string {
  return scope === '' ? 'no-scope' : hashedName(scope);
}

/** The hash distinguishes names that differ only in characters that a file name cannot contain. */
function hashedName(name: string): string {
  return `${safeName(name).slice(0, 48)}-${sha256Of(name).slice(0, 12)}`;
}

/** For a file with a damaged header: the id, from the file's name; null if the name does not contain the whole id. */
function withoutHeader(path: string, created: string): Omit<StoredConversation, 'length' | 'updated'> | null {
  const name = basename(path, '.jsonl');
  const id = name.replace(/-[^-]*$/, '');
  return hashedName(id) === name ? { id, begins: '', name: null, created } : null;
}

async function filesIn(folder: string): Promise<string[]> {
  return (await namesIn(folder)).filter((name) => name.endsWith('.jsonl')).map((name) => join(folder, name));
}

function namesIn(folder: string): Promise<string[]> {
  return orIfMissing(readdir(folder), []);
}

async function timeOf(path: string): Promise<string | null> {
  return (await orIfMissing(stat(path), null))?.mtime.toISOString() ?? null;
}

/** Null if there is no such file. */
async function withReading<T>(path: string, work: (file: FileHandle) => Promise<T>): Promise<T | null> {
  const file = await orIfMissing(open(path, 'r'), null);
  if (file === null) return null;
  try {
    return await work(file);
  } finally {
    await file.close();
  }
}
