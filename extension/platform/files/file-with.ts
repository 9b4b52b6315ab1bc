import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { namesIn } from './names-in';
import { orIfUnreadable } from './with-file';

/** Maximum number of searched files, newest first, and their maximum total size in bytes. */
const mostFiles = 200;
const mostBytes = 512 * 1024 * 1024;

interface Candidate {
  readonly path: string;
  readonly size: number;
  readonly modified: number;
}

/** The newest file of a folder, other than `except`, that contains this text; null if none of the searched ones does. */
export async function fileWith(
  text: string,
  folder: string,
  extension: string,
  except: string,
): Promise<string | null> {
  const names = (await namesIn(folder)).filter((name) => name.endsWith(extension));
  const found = await Promise.all(names.map((name) => candidateAt(join(folder, name))));
  const newest = found
    .filter((one) => one !== null)
    .filter(({ path }) => path !== except)
    .sort((one, other) => other.modified - one.modified);
  let left = mostBytes;
  for (const { path, size } of newest.slice(0, mostFiles)) {
    left -= size;
    if (left < 0) return null;
    if (await orIfUnreadable(has(path, Buffer.from(text)), false)) return path;
  }
  return null;
}

async function candidateAt(path: string): Promise<Candidate | null> {
  const found = await orIfUnreadable(stat(path), null);
  return found && { path, size: found.size, modified: found.mtimeMs };
}

async function has(path: string, text: Buffer): Promise<boolean> {
  let before = Buffer.alloc(0);
  for await (const chunk of createReadStream(path, { highWaterMark: 1024 * 1024 })) {
    const bytes = Buffer.concat([before, chunk]);
    if (bytes.includes(text)) return true;
    before = bytes.subarray(Math.max(0, bytes.length - text.length));
  }
  return false;
}
