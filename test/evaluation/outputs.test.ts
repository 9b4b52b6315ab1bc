import { readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ResultsFile } from '../../extension/evaluation/results-file';
import { ReplayWriter } from '../../extension/evaluation/sessions/replay-records';
import { replaceFile } from '../../extension/platform/files/replace-file';
import { headerOf } from '../builders/evaluation-play';
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

it('leaves no draft if a report cannot be written', async () => {
  const folder = newFolder();

  await expect(replaceFile(join(folder, 'missing/report.md'), 'scores')).rejects.toThrow('ENOENT');

  expect(await readdir(folder)).toEqual([]);
});

it.skipIf(process.platform === 'win32')('writes what may quote sessions for its owner alone', async () => {
  const folder = newFolder();

  await replaceFile(join(folder, 'report.md'), 'scores');
  await ResultsFile.open(join(folder, 'results.jsonl'), headerOf({ contenders: [], seeds: [1] }, 4));
  await ReplayWriter.open(join(folder, 'replay.jsonl'), null);

  const rights = (await readdir(folder)).map(async (name) => (await stat(join(folder, name))).mode & 0o777);
  expect(await Promise.all(rights)).toEqual([0o600, 0o600, 0o600]);
});
