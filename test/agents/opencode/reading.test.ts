import {
  chmodSync,
  copyFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openCode } from '../../../extension/agents/opencode/format/adapter';
import { supportsDatabaseUrls } from '../../../extension/agents/opencode/format/sqlite';
import { openSession } from '../../../extension/sessions/open';
import type { SessionReading } from '../../../extension/sessions/reading';
import { contextFaults } from '../../sessions/context-faults';
import { picture } from '../../sessions/picture';
import { temporaryFolders } from '../../sessions/temporary';
import { asked, done, opened, replied, sqlite, TestDatabase, text, tool } from './database';

const folder = temporaryFolders();
let database: TestDatabase;
beforeEach(() => {
  database = new TestDatabase(folder());
  database.session('s');
  database.message('s', 'm1', asked, [text('look')]);
});
afterEach(() => database[Symbol.dispose]());

async function reading(): Promise<SessionReading> {
  const opening = await openCode.open(database.file, 's');
  if (opening.kind !== 'reading') throw new Error(String(opening.message));
  return opening.reading;
}

function shown({ parsed }: SessionReading): string[] {
  return picture(parsed.conversation.agentContext);
}

describe('following an OpenCode session', () => {
  it('reads new and changed rows, and keeps the other entries', async () => {
    const followed = await reading();
    const [first] = followed.parsed.conversation.entries;
    database.message('s', 'm2', replied, [text('s')]);
    expect(await followed.readOn()).toEqual({ kind: 'read' });
    database.part('m2', 'm2/1', text('so'));
    database.part('m2', 'm2/2', done('c1', 'a.txt'));
    await followed.readOn();
    expect(shown(followed)).toEqual(['user: look', 'assistant: so + bash c1', 'tool: c1 → a.txt']);
    expect(followed.parsed.conversation.entries[0]).toBe(first);
  });

  it('following an OpenCode session is unchanged while another session is written', async () => {
    const followed = await reading();
    const { parsed } = followed;
    database.session('other');
    database.message('other', 'x1', asked, [text('elsewhere')]);
    expect(await followed.readOn()).toEqual({ kind: 'unchanged' });
    expect(followed.parsed).toBe(parsed);
  });

  it('notices deleted rows, even if as many were added', async () => {
    const followed = await reading();
    database.delete('m1');
    database.message('s', 'm2', asked, [text('look elsewhere')]);
    await followed.readOn();
    expect(shown(followed)).toEqual(['user: look elsewhere']);
  });

  it('sees changes after the clock was set back', async () => {
    database.clock = 1_700_000_000_000;
    database.message('s', 'm2', replied, [text('a')]);
    const followed = await reading();
    database.part('m2', 'm2/1', text('b'));
    await followed.readOn();
    expect(shown(followed)).toEqual(['assistant: b', 'user: look']);
  });

  it('sees changes after a fast clock was corrected', async () => {
    const now = Date.now();
    database.clock = now + 400 * 24 * 3_600_000;
    database.message('s', 'm2', replied, [text('a')]);
    const followed = await reading();
    database.clock = now;
    database.part('m1', 'm1/1', text('look again'));
    await followed.readOn();
    expect(shown(followed)).toEqual(['user: look again', 'assistant: a']);
  });

  it('sees a new row with an old rowid and an old time', async () => {
    const followed = await reading();
    const columns = '(rowid, id, session_id, time_created, time_updated, data)';
    database.run(`INSERT INTO message ${columns} VALUES (-5, 'm0', 's', 1, 1, '{"role":"user"}')`);
    database.run(`INSERT INTO part (rowid, id, message_id, session_id, time_created, time_updated, data)
      VALUES (-5, 'p0', 'm0', 's', 1, 1, '{"type":"text","text":"before all"}')`);
    await followed.readOn();
    expect(shown(followed)).toEqual(['user: before all', 'user: look']);
  });

  it('reports a deleted session and a deleted file', async () => {
    const followed = await reading();
    database.run("DELETE FROM session WHERE id = 's'");
    expect(await followed.readOn()).toMatchObject({ kind: 'missing' });
    database.run('PRAGMA wal_checkpoint(TRUNCATE)');
    for (const name of readdirSync(database.folder)) rmSync(join(database.folder, name));
    const read = await followed.readOn();
    expect([read.kind, 'message' in read && String(read.message)]).toEqual([
      'missing',
      `There is no file ${database.file}`,
    ]);
    expect(shown(followed)).toEqual(['user: look']);
  });

  it('equals the same session read at once, in any number of steps', async () => {
    const change = fc.record({ kind: fc.constantFrom('message', 'part', 'delete', 'revert', 'look'), at: fc.nat(5) });
    let run = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(change, { maxLength: 25 }), async (changes) => {
        run += 1;
        const session = `r${run}`;
        database.session(session);
        const opening = await openCode.open(database.file, session);
        if (opening.kind !== 'reading') throw new Error(String(opening.message));
        for (const [index, { kind, at }] of changes.entries()) {
          const id = `${session}-${at}`;
          if (kind === 'message') {
            database.delete(id);
            database.message(session, id, at % 2 === 0 ? asked : replied, [text(`text ${index}`)]);
          } else if (kind === 'part')
            database.part(
              id,
              `${id}/2`,
              tool(`c${at}`, index % 2 ? { status: 'running' } : { status: 'completed', output: 'x' }),
            );
          else if (kind === 'delete') database.delete(id);
          else if (kind === 'revert') database.revert(session, { messageID: id });
          else await opening.reading.readOn();
        }
        await opening.reading.readOn();
        const anew = await openCode.open(database.file, session);
        if (anew.kind !== 'reading') throw new Error(String(anew.message));
        expect(opening.reading.parsed).toEqual(anew.reading.parsed);
        expect(contextFaults(anew.reading.parsed.conversation.agentContext)).toEqual([]);
      }),
      { numRuns: 40 },
    );
  });
});

describe('an OpenCode database', () => {
  it('reads an unused database with its log and leaves no files', async () => {
    const copy = database.copyTo(folder());
    const before = readdirSync(join(copy, '..'));
    expect(picture((await opened(`${copy}#s`)).conversation.entries)).toEqual(['user: look']);
    expect(readdirSync(join(copy, '..'))).toEqual(before);
  });

  it('reads a database after a crash without changing any file', async () => {
    for (const suffixes of [['-wal', '-shm'], ['-shm']]) {
      const copy = database.copyTo(folder(), suffixes);
      const left = () =>
        readdirSync(join(copy, '..')).map((name) => [name, readFileSync(join(copy, '..', name), 'hex')]);
      writeFileSync(`${copy}-shm`, Buffer.alloc(32_768, 7));
      const before = left();
      await openSession(`${copy}#s`);
      expect(left()).toEqual(before);
    }
    const copy = database.copyTo(folder(), ['-wal', '-shm']);
    expect(picture((await opened(`${copy}#s`)).conversation.entries)).toEqual(['user: look']);
  });

  it('reads the complete part of a truncated log', async () => {
    const copy = database.copyTo(folder());
    database.run('PRAGMA wal_checkpoint(TRUNCATE)');
    database.message('s', 'm2', asked, [text('more')]);
    const later = database.copyTo(folder());
    truncateSync(`${later}-wal`, 40);
    expect(picture((await opened(`${later}#s`)).conversation.entries)).toEqual(['user: look']);
    truncateSync(`${copy}-wal`, 40);
    expect(await openSession(`${copy}#s`)).toMatchObject({ kind: 'foreign' });
  });

  it('does not block other programs while it reads', async () => {
    const followed = await reading();
    for (let index = 2; index < 30; index += 1) {
      const looking = followed.readOn();
      database.message('s', `m${index}`, asked, [text(`prompt ${index}`)]);
      await looking;
    }
    await followed.readOn();
    expect(followed.parsed.conversation.entries).toHaveLength(29);
  });

  it('reports a locked database as busy', async () => {
    database.run('PRAGMA locking_mode = EXCLUSIVE');
    database.message('s', 'm2', asked, [text('mine')]);
    const outcome = await openSession(database.address('s'));
    expect([outcome.kind, 'message' in outcome && String(outcome.message)]).toEqual([
      'unreadable',
      expect.stringMatching(/is busy/),
    ]);
  });

  it('reports a database of another program as foreign', async () => {
    const file = join(folder(), 'opencode.db');
    const other = new sqlite.DatabaseSync(file);
    other.exec('CREATE TABLE session (id text, visits integer)');
    other.close();
    expect(await openSession(`${file}#s`)).toMatchObject({ kind: 'foreign' });
    expect(await openCode.list(file)).toMatchObject({ sessions: [], issues: [{ file }] });
  });

  it('reports a truncated or damaged database', async () => {
    database.run('PRAGMA wal_checkpoint(TRUNCATE)');
    const file = join(folder(), 'opencode.db');
    copyFileSync(database.file, file);
    truncateSync(file, 5000);
    expect(['unreadable', 'foreign']).toContain((await openSession(`${file}#s`)).kind);
    writeFileSync(file, `SQLite format 3\0${'x'.repeat(9000)}`);
    expect(await openSession(`${file}#s`)).toMatchObject({ kind: 'unreadable' });
    expect((await openCode.list(file)).issues).toHaveLength(1);
  });

  it('lists sessions without a parent, and opens a single one without a key', async () => {
    expect(picture((await opened(database.file)).conversation.entries)).toEqual(['user: look']);
    database.session('child', { parent: 's' });
    database.session('empty');
    const { sessions } = await openCode.list(database.file);
    expect(sessions.map(({ key, isUnlisted }) => [key, isUnlisted === true])).toEqual([
      ['s', false],
      ['empty', true],
    ]);
    expect(await openSession(database.file)).toMatchObject({ kind: 'missing' });
    expect(await openSession(`${database.file}#nobody`)).toMatchObject({ kind: 'missing' });
  });

  it.skipIf(process.getuid?.() === 0)(
    'an OpenCode database in a folder that nobody may write to is read from a copy',
    async () => {
      chmodSync(database.folder, 0o500);
      expect(picture((await database.read()).conversation.entries)).toEqual(['user: look']);
      chmodSync(database.folder, 0o700);
    },
  );

  it('requires a version of Node.js that opens databases by URL', () => {
    const versions = ['20.20.2', '22.13.0', '22.15.0', '23.9.0', '23.10.0', '24.0.0'];
    expect(versions.filter(supportsDatabaseUrls)).toEqual(['22.15.0', '23.10.0', '24.0.0']);
  });

  it('looks for the database in the folder that the environment names', () => {
    expect(openCode.roots({ home: '/h', variables: {} })).toEqual(['/h/.local/share/opencode']);
    expect(openCode.roots({ home: '/h', variables: { XDG_DATA_HOME: '/data' } })).toEqual(['/data/opencode']);
    expect(existsSync(database.file)).toBe(true);
  });
});
