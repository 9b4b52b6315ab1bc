import { appendFileSync, closeSync, openSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { NewestLines } from '../../../extension/platform/files/newest-line';
import { temporaryFolders } from '../../sessions/temporary';

const newFolder = temporaryFolders();

function fileOf(...lines: readonly string[]): string {
  const file = join(newFolder(), 'lines.jsonl');
  writeFileSync(file, lines.join('\n'));
  return file;
}

const mark = { text: 'mark', isMeant: () => true };

it('finds the newest line with a text, wherever it is in the file', async () => {
  const filler = Array.from({ length: 30 }, (_, at) => `${at} ${'x'.repeat(100_000)}`);
  expect(await new NewestLines().find(fileOf('one mark', ...filler, 'two mark', ...filler), mark)).toBe('two mark');
  expect(await new NewestLines().find(fileOf('one mark', ...filler), mark)).toBe('one mark');
  expect(await new NewestLines().find(fileOf(...filler, 'the last mark'), mark)).toBe('the last mark');
  expect(await new NewestLines().find(fileOf(...filler), mark)).toBeNull();
});

it('finds a text on the border of what is read at once', async () => {
  for (const before of [1024 * 1024 - 4, 1024 * 1024 - 2, 1024 * 1024]) {
    const file = fileOf(`${'x'.repeat(50)}`, 'a mark', 'y'.repeat(before));
    expect(await new NewestLines().find(file, mark)).toBe('a mark');
  }
});

it('continues to an older line if the newest one does not pass the check', async () => {
  const file = fileOf('mark: old', 'mark: new, mark', 'end');
  expect(await new NewestLines().find(file, { text: 'mark', isMeant: (line) => line.includes('old') })).toBe(
    'mark: old',
  );
});

it('says that a file is missing', async () => {
  expect(await new NewestLines().find(join(newFolder(), 'none'), mark)).toMatchObject({ kind: 'missing' });
});

it('does not read again what it searched before', async () => {
  const file = fileOf('early line', 'x'.repeat(1024 * 1024), 'end');
  const lines = new NewestLines();
  expect(await lines.find(file, mark)).toBeNull();
  const opened = openSync(file, 'r+');
  writeSync(opened, 'early mark', 0);
  closeSync(opened);
  appendFileSync(file, '\nmore');
  expect(await lines.find(file, mark)).toBeNull();
  expect(await new NewestLines().find(file, mark)).toBe('early mark');
});

it('finds what was added, also to a line that was not complete, and remembers what it found', async () => {
  const file = fileOf('old mark', 'x'.repeat(1024 * 1024), 'new ma');
  const lines = new NewestLines();
  expect(await lines.find(file, mark)).toBe('old mark');
  appendFileSync(file, '');
  expect(await lines.find(file, mark)).toBe('old mark');
  appendFileSync(file, 'rk\nend');
  expect(await lines.find(file, mark)).toBe('new mark');
});

it('searches a file that was written again from its beginning', async () => {
  const file = fileOf('old mark', 'x'.repeat(1024 * 1024));
  const lines = new NewestLines();
  expect(await lines.find(file, mark)).toBe('old mark');
  writeFileSync(file, 'end');
  expect(await lines.find(file, mark)).toBeNull();
});
