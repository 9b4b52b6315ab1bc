import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { forkSession } from '../../../extension/inspection/fork/fork-session';
import { relativesOf } from '../../../extension/inspection/relatives';
import { chained, compacted, replied, said, text } from '../../agents/claude-code/rows';
import { temporaryFolders } from '../../sessions/temporary';
import { compact, copyOf, inspect } from './inspect';

const temporary = temporaryFolders();

describe.each(['claude-code-2.1.330/before-compaction.jsonl', 'pi-0.87/before-compaction.jsonl'])('%s', (fixture) => {
  it('links a fork to its original and back, also after both were moved', async () => {
    const folder = temporary();
    const inspection = await inspect(copyOf(fixture, folder), folder);
    await compact(inspection);
    const fork = await forkSession(inspection);
    const journals = dirname(inspection.journal.path);
    const original = inspection.session;
    const forked = (await inspect(fork.file, folder)).session;
    expect(await relativesOf(forked, journals)).toEqual({ predecessor: original.file, forks: [] });
    expect((await relativesOf(original, journals)).forks).toEqual([{ file: fork.file, title: forked.title }]);

    const moved = join(folder, 'moved');
    mkdirSync(moved);
    for (const file of [original.file, fork.file]) renameSync(file, join(moved, basename(file)));
    const again = (await inspect(join(moved, basename(fork.file)), folder)).session;
    expect((await relativesOf(again, journals)).predecessor).toBe(join(moved, basename(original.file)));
    rmSync(join(moved, basename(original.file)));
    expect((await relativesOf(again, journals)).predecessor).toBeNull();
    expect((await relativesOf(original, journals)).forks).toEqual([]);
  });
});

describe('a session of Claude Code that continues in a new file', () => {
  it.each([
    ['with a boundary', compacted('b', 'a1', {})],
    ['with a row', said('u2', 'and then?', { parentUuid: 'a1' })],
  ])('%s is linked to the file with the row before', async (_name, first) => {
    const folder = temporary();
    const write = (name: string, rows: readonly object[]) => {
      const file = join(folder, name);
      writeFileSync(file, `${rows.map((row) => JSON.stringify(row)).join('\n')}\n`);
      return file;
    };
    const before = write('before.jsonl', chained(said('u1', 'go'), replied('a1', [text('done')])));
    write('other.jsonl', chained(said('x1', 'something else'), replied('x2', [text('yes')])));
    const rows = [{ sessionId: 'next', parentUuid: null, ...first }, ...chained(said('u3', 'more')).slice(0, 1)];
    const { session } = await inspect(write('after.jsonl', rows), folder);
    expect((await relativesOf(session, folder)).predecessor).toBe(before);
  });
});
