import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { newestLine } from '../../../extension/platform/files/newest-line';
import { temporaryFolders } from '../../sessions/temporary';

const newFolder = temporaryFolders();

function fileOf(...lines: readonly string[]): string {
  const file = join(newFolder(), 'lines.jsonl');
  writeFileSync(file, lines.join('\n'));
  return file;
}

const any = () => true;

it('finds the newest line with a text, wherever it is in the file', async () => {
  const filler = Array.from({ length: 30 }, (_, at) => `${at} ${'x'.repeat(100_000)}`);
  expect(await newestLine(fileOf('one mark', ...filler, 'two mark', ...filler), 'mark', any)).toBe('two mark');
  expect(await newestLine(fileOf('one mark', ...filler), 'mark', any)).toBe('one mark');
  expect(await newestLine(fileOf(...filler, 'the last mark'), 'mark', any)).toBe('the last mark');
  expect(await newestLine(fileOf(...filler), 'mark', any)).toBeNull();
});

it('finds a text on the border of what is read at once', async () => {
  for (const before of [1024 * 1024 - 4, 1024 * 1024 - 2, 1024 * 1024]) {
    const file = fileOf(`${'x'.repeat(50)}`, 'a mark', 'y'.repeat(before));
    expect(await newestLine(file, 'mark', any)).toBe('a mark');
  }
});

it('goes on to an older line where the newest is not meant', async () => {
  const file = fileOf('mark: old', 'mark: new, mark', 'end');
  expect(await newestLine(file, 'mark', (line) => line.includes('old'))).toBe('mark: old');
});

it('says that a file is missing', async () => {
  expect(await newestLine(join(newFolder(), 'none'), 'mark', any)).toMatchObject({ kind: 'missing' });
});
