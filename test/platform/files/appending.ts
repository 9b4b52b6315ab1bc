import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { open } from 'node:fs/promises';
import {
  appendedHere,
  appendOrTakeBack,
  withFreeLock,
  withLock,
} from '../../../extension/platform/files/locked-append';

/**
 * A process that appends lines to a file, each with the number after that of the last line: one on its own thread, the next one not. It
 * reports when it has begun.
 */

const [path = '', name = '', count = '0'] = process.argv.slice(2);

const longestLine = 256;

function lineAfter(end: Buffer): Buffer {
  const last = Number(/(\d+) [^\n]*\n$/.exec(end.toString('latin1'))?.[1] ?? 0);
  return Buffer.from(`${last + 1} ${name.repeat(200)}\n`);
}

async function appendNext(): Promise<void> {
  const file = await open(path, 'a+');
  try {
    const { size } = await file.stat();
    const end = Buffer.alloc(longestLine);
    const { bytesRead } = await file.read(end, 0, longestLine, Math.max(size - longestLine, 0));
    await appendOrTakeBack(file, size, lineAfter(end.subarray(0, bytesRead)));
  } finally {
    await file.close();
  }
}

function appendedNext(): true | undefined {
  const file = openSync(path, 'a+');
  try {
    const { size } = fstatSync(file);
    const end = Buffer.alloc(longestLine);
    const read = readSync(file, end, 0, longestLine, Math.max(size - longestLine, 0));
    return appendedHere(file, size, lineAfter(end.subarray(0, read))) || undefined;
  } finally {
    closeSync(file);
  }
}

const lock = `${path}.lock`;

for (let left = Number(count); left > 0; left -= 1) {
  const isHere = left % 2 === 1 && withFreeLock(lock, appendedNext);
  if (!isHere) await withLock(lock, appendNext);
  if (left === Number(count)) process.stdout.write('begun\n');
}
