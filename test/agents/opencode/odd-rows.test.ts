import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openCode } from '../../../extension/agents/opencode/format/adapter';
import { addressText } from '../../../extension/sessions/address';
import { picture } from '../../sessions/picture';
import { temporaryFolders } from '../../sessions/temporary';
import { asked, done, opened, replied, TestDatabase, text } from './database';

const folder = temporaryFolders();
let database: TestDatabase;
beforeEach(() => {
  database = new TestDatabase(folder());
  database.session('s');
  database.message('s', 'm1', asked, [text('look')]);
  database.message('s', 'm2', replied, [done('c1', 'a.txt')]);
});
afterEach(() => database[Symbol.dispose]());

const wholeSession = ['user: look', 'assistant: bash c1', 'tool: c1 → a.txt'];

async function listed(): Promise<{ keys: (string | null)[]; issues: string[] }> {
  const { sessions, issues } = await openCode.list(database.file);
  return { keys: sessions.map(({ key }) => key), issues: issues.map(({ message }) => String(message)) };
}

async function read(): Promise<{ entries: string[]; issues: string[] }> {
  const { conversation, issues } = await database.read();
  return { entries: picture(conversation.entries), issues: issues.map(({ message }) => String(message)) };
}

describe('invalid times in an OpenCode database', () => {
  const beyond = '9223372036854775807';

  it('lists all sessions, with an issue for an invalid session time', async () => {
    database.session('other');
    database.run(`UPDATE session SET time_updated = ${beyond} WHERE id = 's'`);
    expect(await listed()).toEqual({ keys: ['s', 'other'], issues: ['The time of the session s is not valid'] });
    const { sessions } = await openCode.list(database.file);
    expect(sessions.map(({ modified }) => typeof modified)).toEqual(['undefined', 'number']);
    expect((await read()).entries).toEqual(wholeSession);
  });

  it('ignores invalid times in unused columns', async () => {
    database.run(`ALTER TABLE session ADD COLUMN time_archived integer; UPDATE session SET time_archived = ${beyond}`);
    expect(await listed()).toEqual({ keys: ['s'], issues: [] });
    expect(await read()).toEqual({ entries: wholeSession, issues: [] });
  });

  it('reports an invalid time of a message or part, and shows and follows the session', async () => {
    const opening = await openCode.open(database.file, 's');
    if (opening.kind !== 'reading') throw new Error(String(opening.message));
    database.run(
      `UPDATE part SET time_updated = ${beyond}; UPDATE message SET time_created = -${beyond} WHERE id = 'm1'`,
    );
    const issues = ['m1', 'm1/1', 'm2/1'].map((id) => `The time of ${id} is not valid`);
    expect(await read()).toEqual({ entries: wholeSession, issues });
    database.message('s', 'm3', asked, [text('go on')]);
    await opening.reading.readOn();
    expect(picture(opening.reading.parsed.conversation.entries)).toEqual([...wholeSession, 'user: go on']);
    expect(new Date(opening.reading.modified).getTime()).toBe(opening.reading.modified);
  });

  it('reads a session with numbers beyond the range of JavaScript', async () => {
    database.run(`UPDATE part SET rowid = ${beyond} WHERE id = 'm2/1'`);
    expect(await read()).toEqual({ entries: wholeSession, issues: [] });
    database.message('s', 'm3', asked, [text('go on')]);
    expect((await read()).entries).toEqual([...wholeSession, 'user: go on']);
  });
});

describe('deep nesting in an OpenCode database', () => {
  const deep = `${'[{"a":'.repeat(100_000)}1${'}]'.repeat(100_000)}`;

  it('follows a session whose revert or model data is deeply nested', async () => {
    database.run(
      `UPDATE session SET revert = '{"messageID":"m2","diff":${deep}}', model = '{"id":"m","more":${deep}}'`,
    );
    const opening = await openCode.open(database.file, 's');
    if (opening.kind !== 'reading') throw new Error(String(opening.message));
    database.session('other');
    expect(await opening.reading.readOn()).toEqual({ kind: 'unchanged' });
    database.message('s', 'm3', asked, [text('go on')]);
    expect(await opening.reading.readOn()).toEqual({ kind: 'read' });
    const { parsed } = opening.reading;
    expect(picture(parsed.conversation.agentContext)).toEqual(['user: look']);
    expect(parsed.model).toBe('m');
  });

  it('reports a deeply nested tool input, and ignores other deeply nested data', async () => {
    const state = `{"status":"completed","input":${deep},"output":"a.txt","metadata":${deep},"attachments":[${deep}]}`;
    database.part('m2', 'm2/1', `{"type":"tool","tool":"bash","callID":"c1","state":${state}}`);
    database.part(
      'm2',
      'm2/2',
      `{"type":"tool","tool":"bash","callID":"c2","state":{"status":"completed","output":${deep}}}`,
    );
    database.run(`UPDATE message SET data = '{"role":"assistant","error":${deep},"tokens":${deep}}' WHERE id = 'm2'`);
    const { conversation, issues } = await database.read();
    expect(() => JSON.stringify(conversation)).not.toThrow();
    expect(picture(conversation.entries).slice(-2)).toEqual(['tool: c1 → a.txt', 'tool: c2 → ']);
    expect(issues.map(({ message }) => String(message))).toEqual([expect.stringMatching(/nested more than/)]);
  });
});

describe('the parent of an OpenCode session', () => {
  it('the parent of an OpenCode session is ignored if it is the session itself', async () => {
    database.run("UPDATE session SET parent_id = 's' WHERE id = 's'");
    expect(await listed()).toEqual({ keys: ['s'], issues: [] });
    const session = await database.read();
    expect([session.parent, session.subagents]).toEqual([undefined, []]);
  });

  it('lists sessions whose parent is missing or part of a cycle', async () => {
    database.session('orphan', { parent: 'deleted' });
    database.session('one', { parent: 'other' });
    database.session('other', { parent: 'one' });
    database.session('child', { parent: 'orphan' });
    expect((await listed()).keys).toEqual(['s', 'orphan', 'one', 'other']);
    expect((await database.read('orphan')).parent).toEqual({ file: null, callId: null });
  });
});

describe('an OpenCode session id with reserved characters', () => {
  it('opens a session with reserved characters in its id', async () => {
    for (const id of ['a/b', 'a#b', 'a\\b', 'a b?c%20', '']) database.session(id, { title: 'odd' });
    const { keys, issues } = await listed();
    expect([...keys].sort()).toEqual(['a b?c%20', 'a#b', 'a/b', 'a\\b', 's']);
    expect(issues).toEqual([]);
    for (const key of keys) expect((await opened(addressText({ file: database.file, key }))).id).toBe(key);
  });

  it('links a subagent and its parent with reserved characters in their ids', async () => {
    database.session('a/b', { parent: 's' });
    const [subagent] = (await database.read()).subagents;
    expect((await opened(subagent?.file ?? '')).parent?.file).toBe(database.address('s'));
  });
});

describe('a damaged newest message in an OpenCode database', () => {
  it('lists a session whose newest message is damaged', async () => {
    database.run("UPDATE message SET data = '{\"role' WHERE id = 'm2'");
    const { sessions } = await openCode.list(database.file);
    expect(sessions).toMatchObject([{ key: 's', awaitsReply: false }]);
    expect(sessions[0]?.isUnlisted).toBeUndefined();
  });
});
