import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { pi } from '../../extension/agents/pi/format/adapter';
import { type OpenOutcome, openSession } from '../../extension/sessions/open';
import type { Session } from '../../extension/sessions/session';
import { chained, replied, said, text } from '../agents/pi/records';
import { inEnglish } from '../builders/in-english';
import { picture } from './picture';
import { nowhere, temporaryFolders } from './temporary';

const temporary = temporaryFolders();

function written(content: string | Uint8Array, name = 'session.jsonl'): string {
  const file = join(temporary(), name);
  writeFileSync(file, content);
  return file;
}

async function open(file: string): Promise<OpenOutcome> {
  return await openSession(file, { environment: nowhere });
}

async function opened(file: string): Promise<Session> {
  const outcome = await open(file);
  if (outcome.kind !== 'opened') throw new Error(String(outcome.message));
  return outcome.session;
}

const records = chained(said('q1', 'grüße 🙂'), replied('a1', [text('hello')]));
const lines = records.map((record) => JSON.stringify(record));
const whole = `${lines.join('\n')}\n`;
const spoken = ['user: grüße 🙂', 'assistant: hello'];

describe('a session file', () => {
  it.each([
    ['as agents write it', whole],
    ['without the last newline', whole.trimEnd()],
    ['with the line ends of Windows', whole.replaceAll('\n', '\r\n')],
    ['with a mark at its start', `\uFEFF${whole}`],
    ['with blank lines', `\n${whole.replaceAll('\n', '\n\n  \n')}`],
  ])('opens %s', async (_how, content) => {
    const session = await opened(written(content));
    expect(session.issues).toEqual([]);
    expect(picture(session.conversation.entries)).toEqual(spoken);
  });

  it('opens with an issue for each line that cannot be used', async () => {
    const [head = '', prompt = '', reply = ''] = lines;
    const file = written([head, prompt, '{"type":"mess', '[1, 2]', '"text"', reply, ''].join('\n'));
    const session = await opened(file);
    expect(session.issues.map((issue) => [issue.file, issue.line])).toEqual([3, 4, 5].map((line) => [file, line]));
    expect(String(session.issues[0]?.message)).toMatch(/not valid JSON/);
    expect(String(session.issues[1]?.message)).toMatch(/not an object/);
    expect(picture(session.conversation.entries)).toEqual(spoken);
  });

  it('opens with an issue if it ends in the middle of a line', async () => {
    const file = written(`${whole}{"type":"message","mess`);
    const session = await opened(file);
    expect(session.issues.map(inEnglish)).toEqual([
      { file, line: 4, message: 'The file ends in the middle of this line; it was left out' },
    ]);
    expect(picture(session.conversation.entries)).toEqual(spoken);
  });

  it('opens with an issue if it is not UTF-8', async () => {
    const broken = Buffer.from(whole);
    broken.writeUInt8(0xff, broken.indexOf('hello'));
    const session = await opened(written(broken));
    expect(session.issues.map((issue) => issue.line)).toEqual([3]);
    expect(picture(session.conversation.entries)[1]).toBe('assistant: \uFFFDello');
  });

  it('opens with one line of ten megabytes', async () => {
    const long = 'x'.repeat(10_000_000);
    const file = written(
      chained(said('q1', long), said('q2', 'short'))
        .map((record) => JSON.stringify(record))
        .join('\n'),
    );
    expect(picture((await opened(file)).conversation.entries).map((entry) => entry.length)).toEqual([10_000_006, 11]);
  });

  it('lists no more issues than a person would read', async () => {
    const file = written(`${whole}${'{"broken\n'.repeat(1000)}`);
    const { issues } = await opened(file);
    expect(issues).toHaveLength(201);
    expect(issues.map(inEnglish)).toContainEqual({
      file,
      line: 0,
      message: '800 more issues in this file are not listed',
    });
  });
});

function asTold(outcome: OpenOutcome): readonly [kind: string, message: string] {
  return [outcome.kind, outcome.kind === 'opened' ? '' : String(outcome.message)];
}

describe('a file that is no session', () => {
  it.each([
    ['empty', ''],
    ['empty', ' \n\n'],
    ['binary', Buffer.from([0x1f, 0x8b, 0x08, 0x00, 0x00])],
    ['binary', Buffer.from(whole, 'utf16le')],
    ['foreign', 'just some text\n'],
    ['foreign', '{"type":"session_meta","payload":{}}\n'],
    ['foreign', '[]'],
  ])('a file that is no session is %s', async (kind, content) => {
    const file = written(content);
    const outcome = await open(file);
    expect(asTold(outcome)).toEqual([kind, expect.stringContaining(file)]);
  });

  it('a path that is not a session is missing, or a folder', async () => {
    const folder = temporary();
    const gone = join(folder, 'gone.jsonl');
    expect(asTold(await open(gone))).toEqual(['missing', `There is no file ${gone}`]);
    expect(await open(join(written(whole), 'below-a-file'))).toMatchObject({ kind: 'missing' });
    expect(asTold(await open(folder))).toEqual(['directory', `${folder} is a folder, not a session file`]);
  });

  it.skipIf(userInfo().uid === 0)('a file that is no session is unreadable', async () => {
    const file = written(whole);
    chmodSync(file, 0);
    expect(asTold(await open(file))).toEqual(['unreadable', expect.stringContaining(file)]);
  });

  it.skipIf(process.platform === 'win32')(
    'a file that is no session is unreadable if it is no regular file',
    async () => {
      expect(await open('/dev/null')).toMatchObject({ kind: 'unreadable' });
    },
  );

  it('opens anyway if the format is given', async () => {
    const [, prompt = ''] = lines;
    const outcome = await openSession(written(prompt), { adapter: pi, environment: nowhere });
    expect(outcome.kind).toBe('opened');
  });
});

describe('live', () => {
  const waiting = `${whole}${JSON.stringify({ ...said('q2', 'more'), parentId: 'a1' })}\n`;

  it('a session is live if it was written just now and waits for a reply', async () => {
    const liveAfter = async (content: string, milliseconds: number): Promise<boolean> => {
      const now = (): number => Date.now() + milliseconds;
      const outcome = await openSession(written(content), { environment: nowhere, now });
      return outcome.kind === 'opened' && outcome.session.live;
    };
    expect(await liveAfter(waiting, 0)).toBe(true);
    expect(await liveAfter(waiting, 3 * 60_000)).toBe(false);
    expect(await liveAfter(whole, 0)).toBe(false);
  });

  it('a session is live if a running Claude Code has it open', async () => {
    const home = temporary();
    mkdirSync(join(home, '.claude', 'sessions'), { recursive: true });
    const session = { type: 'user', uuid: 'u1', parentUuid: null, sessionId: 'mine', message: { content: 'hi' } };
    const file = written(
      `${JSON.stringify(session)}\n${JSON.stringify({ ...session, uuid: 'u2', type: 'assistant', message: { content: [text('ok')] } })}\n`,
    );
    const liveWith = async (status: string, name = '7.json'): Promise<boolean> => {
      writeFileSync(join(home, '.claude', 'sessions', name), status);
      const outcome = await openSession(file, { environment: { home, variables: {} } });
      return outcome.kind === 'opened' && outcome.session.live;
    };
    expect(await liveWith(JSON.stringify({ pid: process.pid, sessionId: 'other' }))).toBe(false);
    expect(await liveWith(JSON.stringify({ pid: 2 ** 30, sessionId: 'mine' }))).toBe(false);
    expect(await liveWith('{"pid":', '8.json')).toBe(false);
    expect(await liveWith(JSON.stringify({ pid: process.pid, sessionId: 'mine' }), `${process.pid}.key`)).toBe(false);
    expect(await liveWith(JSON.stringify({ pid: process.pid, sessionId: 'mine' }))).toBe(true);
  });
});
