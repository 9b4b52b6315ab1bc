import { open } from 'node:fs/promises';
import { appendOrTakeBack, withLock } from '../../../extension/platform/files/locked-append';

/**
 * A process that appends lines to a file, each with the number after that of the last line. It reports when it has
 * begun.
 */

const [path = '', name = '', count = '0'] = process.argv.slice(2);

const longestLine = 256;

async function appendNext(): Promise<void> {
  const file = await open(path, 'a+');
  try {
    const { size } = await file.stat();
    const { buffer, bytesRead } = await file.read(
      Buffer.alloc(longestLine),
      0,
      longestLine,
      Math.max(size - longestLine, 0),
    );
    const last = Number(/(\d+) [^\n]*\n$/.exec(buffer.toString('latin1', 0, bytesRead))?.[1] ?? 0);
    await appendOrTakeBack(file, size, Buffer.from(`${last + 1} ${name.repeat(200)}\n`));
  } finally {
    await file.close();
  }
}

for (let left = Number(count); left > 0; left -= 1) {
  await withLock(`${path}.lock`, appendNext);
  if (left === Number(count)) process.stdout.write('begun\n');
}
