import { constants } from 'node:fs';
import { type FileHandle, mkdir, open, readdir, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { appendOrTakeBack, withLock } from '../../sessions/files/locked-append';
import { privateFile, privateFolder } from '../../sessions/files/private-modes';
import { sha256Of } from '../../sessions/files/sha256';
import { systemErrorCode } from '../../sessions/files/with-file';
import { safeName } from '../../sessions/strata/places';
import type { ConversationDescription, RecordKey, RecordStore, StoredConversation } from './record-store';

/** First line of a file. Each further line has the records of one append, as a list: so a killed writer leaves all or none. */
interface Header extends ConversationDescription {
  readonly type: 'strata-records';
  readonly version: 1;
  readonly scope: string;
  readonly id: string;
}

/** A place between two lines of a file. */
interface Place {
  /** Bytes of whole lines before it. */
  readonly bytes: number;
  /** Number of records in them. */
  readonly length: number;
}

/** How far a file is known. A file that was deleted and begun anew is another one. */
interface Known extends Place {
  readonly inode: number;
  /** Where its last line begins: the newest record is asked for again with what is new. */
  readonly lastLine: Place;
}

const beginning: Place = { bytes: 0, length: 0 };

interface Tail extends Known {
  /** The records behind what was known. */
  readonly records: readonly string[];
  readonly size: number;
}

/** Number of files whose ends are remembered. */
const mostKnown = 10_000;

/** A store in a folder, one file for each conversation. A write is on the disk when it resolves. Processes of one machine may share it. */
export function folderStore({ folder }: { readonly folder: string }): RecordStore {
  const known = new Map<string, Known>();
  const headers = new Map<string, Header>();

  function remember(path: string, { inode, bytes, length, lastLine }: Known): void {
    known.delete(path);
    known.set(path, { inode, bytes, length, lastLine });
    const [oldest] = known.keys();
    if (known.size > mostKnown && oldest !== undefined) known.delete(oldest);
  }

  /** `from`: what is known behind this place is read again. */
  async function tailOf(file: FileHandle, path: string, from = Number.POSITIVE_INFINITY): Promise<Tail> {
    const { size, ino } = await file.stat();
    const last = known.get(path);
    const places = last?.inode === ino && last.bytes <= size ? [last, last.lastLine] : [];
    const start = places.find(({ length }) => length <= from) ?? beginning;
    const buffer = Buffer.alloc(size - start.bytes);
    const { bytesRead } = await file.read(buffer, 0, buffer.length, start.bytes);
    const end = buffer.subarray(0, bytesRead).lastIndexOf(lineFeed) + 1;
    const lines = buffer.toString('utf8', 0, end).split('\n').slice(0, -1);
    const lists = (start.bytes === 0 ? lines.slice(1) : lines).map((line) => JSON.parse(line) as string[]);
    const records = lists.flat();
    const [bytes, length] = [start.bytes + end, start.length + records.length];
    const newest = lists.at(-1);
    const lastLine =
      newest === undefined
        ? (places[1] ?? beginning)
        : { bytes: bytes - Buffer.byteLength(lines.at(-1) ?? '') - 1, length: length - newest.length };
    const tail = { inode: ino, bytes, length, lastLine, records, size };
    remember(path, tail);
    return tail;
  }

  async function recordsFrom(file: FileHandle, path: string, from: number): Promise<readonly string[]> {
    const tail = await tailOf(file, path, from);
    return tail.records.slice(from - (tail.length - tail.records.length));
  }

  async function write(path: string, expected: number, records: readonly string[], header: Header) {
    const file = await open(path, constants.O_RDWR | constants.O_APPEND | constants.O_CREAT, privateFile);
    try {
      const { length, bytes, size } = await tailOf(file, path);
      if (length !== expected) return { kind: 'moved' } as const;
      // What a killed writer left behind it.
      if (bytes < size) await file.truncate(bytes);
      const first = bytes === 0 ? `${JSON.stringify(header)}\n` : '';
      await appendOrTakeBack(file, bytes, Buffer.from(`${first}${JSON.stringify(records)}\n`), true);
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
      for await (const line of lines) return JSON.parse(line) as Header;
      return null;
    });
    if (header?.type !== 'strata-records') return null;
    headers.set(path, header);
    return header;
  }

  async function stored(path: string): Promise<StoredConversation | null> {
    const header = await headerOf(path);
    if (header === null) return null;
    const found = await withReading(path, async (file) => {
      const { length } = await tailOf(file, path);
      return { length, updated: (await file.stat()).mtime.toISOString() };
    });
    if (found === null || found.length === 0) return null;
    const { id, begins, name, created } = header;
    return { id, begins, name, created, ...found };
  }

  async function list(scope: string, isWanted: (header: Header) => boolean): Promise<StoredConversation[]> {
    const found: StoredConversation[] = [];
    for (const path of await filesIn(join(folder, scopeName(scope)))) {
      const header = await headerOf(path);
      const one = header !== null && isWanted(header) ? await stored(path) : null;
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
      const header: Header = { type: 'strata-records', version: 1, ...key, begins, name, created };
      if (expected === 0) await mkdir(dirname(path), { recursive: true, mode: privateFolder });
      else if ((await timeOf(path)) === null) return { kind: 'moved' };
      return await withLock(`${path}.lock`, () => write(path, expected, records, header));
    },
    find: (scope, beginnings) => list(scope, ({ begins }) => beginnings.includes(begins)),
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

const lineFeed = 0x0a;

function scopeName(scope: string): string {
  return scope === '' ? 'no-scope' : hashedName(scope);
}

/** Two names may differ only in what no file name may have. */
function hashedName(name: string): string {
  return `${safeName(name).slice(0, 48)}-${sha256Of(name).slice(0, 12)}`;
}

async function filesIn(folder: string): Promise<string[]> {
  return (await namesIn(folder)).filter((name) => name.endsWith('.jsonl')).map((name) => join(folder, name));
}

function namesIn(folder: string): Promise<string[]> {
  return orIfMissing([], () => readdir(folder));
}

function timeOf(path: string): Promise<string | null> {
  return orIfMissing(null, async () => (await stat(path)).mtime.toISOString());
}

/** Null if there is no such file. */
function withReading<T>(path: string, work: (file: FileHandle) => Promise<T>): Promise<T | null> {
  return orIfMissing(null, async () => {
    const file = await open(path, 'r');
    try {
      return await work(file);
    } finally {
      await file.close();
    }
  });
}

async function orIfMissing<T>(missing: T, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (systemErrorCode(error) === 'ENOENT' || systemErrorCode(error) === 'ENOTDIR') return missing;
    throw error;
  }
}
