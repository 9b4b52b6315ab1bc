import { chmodSync, copyFileSync, mkdirSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { type DiscoverOptions, type Discovery, discoverSessions } from '../../extension/sessions/discover';
import { openSession } from '../../extension/sessions/open';
import { chained as claudeChained, said as claudeSaid } from '../agents/claude-code/rows';
import { chained as piChained, said as piSaid } from '../agents/pi/records';
import { fixtures } from './samples';
import { temporaryFolders } from './temporary';

const temporary = temporaryFolders();
const hour = 3600;
let home = '';
beforeEach(() => {
  home = temporary();
});

function put(path: string, content: string, age = hour): string {
  const file = join(home, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content);
  return aged(file, age);
}

function aged(file: string, seconds: number): string {
  const time = Date.now() / 1000 - seconds;
  utimesSync(file, time, time);
  return file;
}

function jsonLines(records: readonly unknown[]): string {
  return records.map((record) => `${JSON.stringify(record)}\n`).join('');
}

async function discover(options: DiscoverOptions = {}, variables: Record<string, string> = {}): Promise<Discovery> {
  return await discoverSessions({ home, variables }, options);
}

const claudeContent = (words: string): string => jsonLines(claudeChained(claudeSaid('q1', words, { cwd: '/work' })));
const piContent = (words: string): string => jsonLines(piChained(piSaid('q1', words)));

describe('discovery', () => {
  it('finds the sessions of all agents, newest first', async () => {
    put('.claude/projects/-work/one.jsonl', claudeContent('older'), 3 * hour);
    put('.pi/agent/sessions/--work--/two.jsonl', piContent('newer'), 2 * hour);
    const { sessions, files, issues } = await discover();
    expect(sessions).toMatchObject([
      { agent: 'pi', id: 'session', cwd: '/work', title: 'newer', live: false },
      { agent: 'claude-code', id: 'session', cwd: '/work', title: 'older', live: false },
    ]);
    expect(sessions[0]?.file).toBe(join(home, '.pi/agent/sessions/--work--/two.jsonl'));
    expect(sessions[0]?.size).toBe(piContent('newer').length);
    expect({ files, issues }).toEqual({ files: 2, issues: [] });
  });

  it('finds nothing, and complains of nothing, if no agent was ever used', async () => {
    expect(await discover()).toEqual({ sessions: [], files: 0, issues: [] });
  });

  it('leaves out chats in which nothing was said', async () => {
    const user = join(home, 'User');
    const chats = 'User/workspaceStorage/w/chatSessions';
    const request = { requestId: 'r', message: { text: 'hello', parts: [] }, response: [] };
    put(`${chats}/empty.jsonl`, jsonLines([{ kind: 0, v: { sessionId: 'empty', requests: [] } }]));
    put(`${chats}/full.jsonl`, jsonLines([{ kind: 0, v: { sessionId: 'full', requests: [request] } }]));
    const header = { type: 'strata-conversation', version: 1, id: 'own', time: '', cwd: null, madeBy: 'chat' };
    put('User/globalStorage/strata.strata/conversations/own.jsonl', jsonLines([header]));
    const { sessions } = await discoverSessions({ home, variables: {}, editorFolders: [user] });
    expect(sessions.map(({ id }) => id)).toEqual(['full']);
  });

  it('leaves a chat with Strata alone to Strata, which keeps it itself', async () => {
    const chats = 'User/workspaceStorage/w/chatSessions';
    const agents = {
      strata: { extensionId: { value: 'strata.strata' }, id: 'strata.chat', name: 'strata' },
      other: { extensionId: { value: 'GitHub.copilot-chat' }, id: 'github.copilot.editsAgent', name: 'agent' },
      namesake: { extensionId: { value: 'anna.strata' }, id: 'strata.chat', name: 'strata' },
    };
    const askedOf = (...names: readonly (keyof typeof agents | 'nobody')[]) =>
      names.map((name) => ({
        requestId: 'r',
        message: { text: 'is it "strata.chat"?', parts: [] },
        response: [{ value: 'x'.repeat(9000) }],
        ...(name === 'nobody' ? {} : { agent: agents[name] }),
      }));
    const chat = (name: string, ...lines: readonly unknown[]) =>
      put(`${chats}/${name}.jsonl`, jsonLines([{ kind: 0, v: { sessionId: name, requests: [] } }, ...lines]));
    const pushed = (...names: readonly (keyof typeof agents | 'nobody')[]) => ({
      kind: 2,
      k: ['requests'],
      v: askedOf(...names),
    });
    const own = chat('own', pushed('strata'), pushed('strata'), { kind: 1, k: ['requests', 0, 'result'], v: {} });
    chat('own-and-long', ...Array.from({ length: 40 }, () => pushed('strata')));
    put(`${chats}/own-at-once.jsonl`, jsonLines([{ kind: 0, v: { sessionId: 'o', requests: askedOf('strata') } }]));
    put(`${chats}/own-of-old.json`, JSON.stringify({ sessionId: 'o', requests: askedOf('strata') }));
    chat('mixed', pushed('strata'), pushed('other'));
    chat('mixed-at-last', ...Array.from({ length: 40 }, () => pushed('strata')), pushed('other'));
    chat('handed-on', pushed('strata'), { kind: 1, k: ['requests', 0, 'agent'], v: agents.other });
    chat('of-a-namesake', pushed('namesake'));
    chat('of-nobody', pushed('strata', 'nobody'));
    chat('of-another', pushed('other'));
    const { sessions } = await discoverSessions({ home, variables: {}, editorFolders: [join(home, 'User')] });
    expect(sessions.map(({ id }) => id).sort()).toEqual([
      'handed-on',
      'mixed',
      'mixed-at-last',
      'of-a-namesake',
      'of-another',
      'of-nobody',
    ]);
    const outcome = await openSession(own, { environment: { home, variables: {} } });
    expect(outcome).toMatchObject({ kind: 'opened', session: { agent: 'vscode-chat', id: 'own' } });
  });

  it('looks where the environment says', async () => {
    put('elsewhere/projects/-work/one.jsonl', claudeContent('claude'));
    put('pi-folder/sessions/--work--/two.jsonl', piContent('pi'));
    put('my-sessions/three.jsonl', piContent('chosen'));
    const found = await discover(
      {},
      {
        CLAUDE_CONFIG_DIR: join(home, 'elsewhere'),
        PI_CODING_AGENT_DIR: '~/pi-folder',
        PI_CODING_AGENT_SESSION_DIR: join(home, 'my-sessions'),
      },
    );
    expect(found.sessions.map((session) => session.title).sort()).toEqual(['chosen', 'claude', 'pi']);
  });

  it('looks in other folders, too, for the sessions of all agents', async () => {
    put('.pi/agent/sessions/--work--/one.jsonl', piContent('at home'));
    put('shared/by-ada/two.jsonl', claudeContent('claude, shared'), 2 * hour);
    put('shared/three.jsonl', piContent('pi, shared'), 3 * hour);
    const { sessions, files } = await discover({ folders: [join(home, 'shared'), join(home, '.pi/agent/sessions')] });
    expect(sessions.map(({ agent, title }) => [agent, title])).toEqual([
      ['pi', 'at home'],
      ['claude-code', 'claude, shared'],
      ['pi', 'pi, shared'],
    ]);
    expect(files).toBe(3);
  });

  it('lists neither subagents nor files that are not sessions', async () => {
    put('.claude/projects/-work/session.jsonl', claudeContent('mine'));
    put('.claude/projects/-work/session/subagents/agent-1.jsonl', claudeContent('a subagent'));
    put('.claude/projects/-work/agent-2.jsonl', claudeContent('a subagent of an older version'));
    put('.claude/projects/-work/notes.txt', 'notes');
    put('.claude/projects/-work/foreign.jsonl', '{"something":"else"}\n');
    put('.claude/projects/-work/empty.jsonl', '');
    expect((await discover()).sessions.map((session) => session.title)).toEqual(['mine']);
  });

  it('opens only as many files as the limit needs, and more if some are not sessions', async () => {
    for (let index = 0; index < 40; index += 1) {
      const isSession = index % 2 === 0;
      put(
        `.pi/agent/sessions/--work--/${index}.jsonl`,
        isSession ? piContent(`number ${index}`) : 'nothing',
        hour + index,
      );
    }
    const { sessions, files } = await discover({ limit: 5 });
    expect(sessions.map((session) => session.title)).toEqual([0, 2, 4, 6, 8].map((index) => `number ${index}`));
    expect(files).toBe(40);
  });

  it('recognizes long sessions by their beginning and end', async () => {
    const filling = Array.from({ length: 400 }, (_, index) => piSaid(`f${index}`, 'x'.repeat(1000)));
    const named = { type: 'session_info', id: 'i1', name: 'Named at the end' };
    put('.pi/agent/sessions/--work--/long.jsonl', jsonLines(piChained(piSaid('q1', 'first'), ...filling, named)));
    put('.claude/projects/-work/an-id.jsonl', claudeContent('long '.repeat(250_000)), 2 * hour);
    const { sessions } = await discover();
    expect(sessions.map(({ id, title }) => [id, title])).toEqual([
      ['session', 'Named at the end'],
      // Its only line is longer than the part that is read, so the session is named after its file.
      ['an-id', null],
    ]);
  });

  it('shows real sessions as what they are', async () => {
    for (const [fixture, path] of [
      ['claude-code-2.1.330/after-compaction.jsonl', '.claude/projects/-home-ada-scratch/one.jsonl'],
      ['pi-0.87/after-compaction.jsonl', '.pi/agent/sessions/--home-ada-scratch--/two.jsonl'],
    ] as const) {
      copyFileSync(join(fixtures, fixture), put(path, ''));
    }
    const { sessions } = await discover();
    expect(sessions.map(({ title, cwd }) => [title, cwd]).sort()).toEqual([
      ['List the files TOOLS=2', '/home/ada/scratch'],
      ['My named session', '/home/ada/scratch'],
    ]);
  });

  it('shows which sessions are live', async () => {
    put('.pi/agent/sessions/--work--/waiting.jsonl', piContent('waiting'), 1);
    put('.pi/agent/sessions/--work--/old.jsonl', piContent('old'), hour);
    put('.claude/projects/-work/open.jsonl', claudeContent('open'), 2 * hour);
    put('.claude/sessions/1.json', JSON.stringify({ pid: process.pid, sessionId: 'session' }));
    const { sessions } = await discover();
    expect(sessions.map(({ title, live }) => [title, live])).toEqual([
      ['waiting', true],
      ['old', false],
      ['open', true],
    ]);
  });

  it('follows links, but not in circles', async () => {
    put('.claude/projects/-work/one.jsonl', claudeContent('one'));
    symlinkSync(join(home, '.claude/projects'), join(home, '.claude/projects/-work/circle'));
    put('elsewhere/two.jsonl', claudeContent('two'), 2 * hour);
    symlinkSync(join(home, 'elsewhere'), join(home, '.claude/projects/-linked'));
    symlinkSync(join(home, 'gone'), join(home, '.claude/projects/dangling'));
    const { sessions, issues } = await discover();
    expect(sessions.map((session) => session.title)).toEqual(['one', 'two']);
    expect(issues).toMatchObject([{ file: join(home, '.claude/projects/dangling') }]);
  });

  it.skipIf(userInfo().uid === 0)('reports folders that it may not read', async () => {
    put('.claude/projects/-work/one.jsonl', claudeContent('one'));
    mkdirSync(join(home, '.claude/projects/-secret'), { mode: 0 });
    const { sessions, issues } = await discover();
    expect(sessions).toHaveLength(1);
    expect(issues.map((issue) => issue.file)).toEqual([join(home, '.claude/projects/-secret')]);
    chmodSync(join(home, '.claude/projects/-secret'), 0o700);
  });

  it('reports a root that is not a folder', async () => {
    put('.claude/projects', 'a file');
    expect((await discover()).issues).toMatchObject([{ file: join(home, '.claude/projects'), line: 0 }]);
  });
});
