import { readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { replaceFile } from '../../extension/evaluation/outputs';
import { temporaryFolders } from '../sessions/temporary';

const newFolder = temporaryFolders();

it('writes a report through no link that was laid where its draft would be', async () => {
  const folder = newFolder();
  const [report, another] = [join(folder, 'report.md'), join(folder, 'another')];
  await writeFile(another, 'another person’s file');
  await symlink(another, `${report}.${process.pid}.tmp`);

  await replaceFile(report, 'scores');

  expect(await readFile(another, 'utf8')).toBe('another person’s file');
  expect(await readFile(report, 'utf8')).toBe('scores');
});

it('leaves no draft where a report cannot be written', async () => {
  const folder = newFolder();

  await expect(replaceFile(join(folder, 'missing/report.md'), 'scores')).rejects.toThrow('ENOENT');

  expect(await readdir(folder)).toEqual([]);
});
