import { truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { textOf } from '../../extension/engine/conversation/entry';
import { earlierMessages } from '../../extension/inspection/earlier';
import { chained, compacted, replied, said, text } from '../agents/claude-code/rows';
import { temporaryFolders } from '../sessions/temporary';
import { inspect } from './fork/inspect';

const temporary = temporaryFolders();

describe('a session that continues in a new file', () => {
  /** Writes files that each begin with a boundary after the last row of the file before. */
  function filesOf(folder: string): string {
    const write = (name: string, rows: readonly object[]) => {
      const file = join(folder, name);
      writeFileSync(file, `${rows.map((row) => JSON.stringify(row)).join('\n')}\n`);
      return file;
    };
    const boundary = (id: string, after: string) => ({ ...compacted(id, after, {}), parentUuid: null });
    const later = said('u9', 'said in the first file after the second had begun', { parentUuid: 'a1' });
    write('first.jsonl', [...chained(said('u1', 'go'), replied('a1', [text('done')])), later]);
    const second = [boundary('b2', 'a1'), ...chained(said('u2', 'and then?'), replied('a2', [text('that too')]))];
    write(
      'second.jsonl',
      second.map((row) => ({ ...row, sessionId: 'second' })),
    );
    const third = [boundary('b3', 'a2'), ...chained(said('u3', 'more'))];
    return write(
      'third.jsonl',
      third.map((row) => ({ ...row, sessionId: 'third' })),
    );
  }

  it('is read along with all files before it, each up to where the next one continues', async () => {
    const folder = temporary();
    const inspection = await inspect(filesOf(folder), folder);
    const { messages, entries } = await earlierMessages(inspection);
    expect(messages.map(({ parts }) => textOf(parts))).toEqual(['go', 'done', 'and then?', 'that too']);
    expect(new Set(entries.map(({ origin }) => origin.file))).toEqual(
      new Set([join(folder, 'first.jsonl'), join(folder, 'second.jsonl')]),
    );
    expect(inspection.context.messages.map(({ parts }) => textOf(parts)).join()).not.toContain('that too');
  });

  it('is read along once', async () => {
    const folder = temporary();
    const inspection = await inspect(filesOf(folder), folder);
    expect(await earlierMessages(inspection)).toBe(await earlierMessages(inspection));
  });

  it('is refused with the reason if the file before it cannot be read, until it can be', async () => {
    const folder = temporary();
    const inspection = await inspect(filesOf(folder), folder);
    const second = join(folder, 'second.jsonl');
    writeFileSync(second, '{"uuid":"a2"}\n');
    await expect(earlierMessages(inspection)).rejects.toThrow(`${second} is not a session of`);
    filesOf(folder);
    expect((await earlierMessages(inspection)).messages).toHaveLength(4);
  });

  it('names the first file that was not read: no session, or too large', async () => {
    const folder = temporary();
    const last = filesOf(folder);
    const first = join(folder, 'first.jsonl');
    truncateSync(first, 25 * 1024 * 1024);
    const read = async () => await earlierMessages(await inspect(last, folder));
    const tooLarge = await read();
    writeFileSync(first, '{"uuid":"a1"}\n');
    for (const { messages, unread } of [tooLarge, await read()]) {
      expect(messages.map(({ parts }) => textOf(parts))).toEqual(['and then?', 'that too']);
      expect(unread).toBe(first);
    }
  });

  it('has nothing before it if none of its files is on this machine', async () => {
    const folder = temporary();
    const file = join(folder, 'alone.jsonl');
    writeFileSync(file, `${JSON.stringify({ sessionId: 'alone', ...said('u2', 'on', { parentUuid: 'gone' }) })}\n`);
    expect((await earlierMessages(await inspect(file, folder))).messages).toEqual([]);
  });
});
