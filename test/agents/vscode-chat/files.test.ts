import { copyFileSync, mkdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { vscodeChat } from '../../../extension/agents/vscode-chat/format/adapter';
import { lineFormats } from '../../../extension/sessions/adapters';
import { discoverSessions } from '../../../extension/sessions/discover';
import { followSession } from '../../../extension/sessions/follow';
import { openSession } from '../../../extension/sessions/open';
import { SessionReader } from '../../../extension/sessions/reader';
import type { Session } from '../../../extension/sessions/session';
import { build, linesOf } from '../../sessions/build';
import { contextFaults } from '../../sessions/context-faults';
import { picture, speakerAndLine } from '../../sessions/picture';
import { fixtures } from '../../sessions/samples';
import { nowhere, temporaryFolders } from '../../sessions/temporary';
import { asked, began, markdown, pending, push, set } from './records';

const temporary = temporaryFolders();
const fixture = (name: string): string => join(fixtures, 'vscode-chat', name);
const names = ['first-answer.jsonl', 'tools-and-endings.jsonl', 'before-1.109.json'];

async function opened(file: string): Promise<Session> {
  const outcome = await openSession(file, { environment: nowhere });
  if (outcome.kind !== 'opened') throw new Error(String(outcome.message));
  return outcome.session;
}

function written(content: string, name = 'chat.jsonl'): string {
  const file = join(temporary(), name);
  writeFileSync(file, content);
  return file;
}

function log(...records: readonly unknown[]): string {
  return records.map((record) => `${JSON.stringify(record)}\n`).join('');
}

describe.each(names)('the stored chat %s', (name) => {
  const lines = linesOf(fixture(name));

  it('a stored chat is recognised by its first lines, and only as a VS Code chat', () => {
    const head = lines.slice(0, 50);
    expect(lineFormats.filter((adapter) => adapter.recognises(head)).map(({ agent }) => agent)).toEqual([
      'vscode-chat',
    ]);
  });

  it('a stored chat has a context that a provider accepts after every line', () => {
    for (let end = 1; end <= lines.length; end += 1) {
      const { agentContext, entries } = build(vscodeChat, lines.slice(0, end)).conversation;
      expect(contextFaults(agentContext), `after line ${end}`).toEqual([]);
      expect(new Set(entries.map((entry) => entry.id)).size).toBe(entries.length);
    }
  });

  it('opens without issues, with an existing line for each entry', async () => {
    const file = written(`${readFileSync(fixture(name), 'utf8').trimEnd()}\n`, name);
    const { issues, conversation } = await opened(file);
    expect(issues).toEqual([]);
    expect(conversation.entries.length).toBeGreaterThan(0);
    for (const { origin } of conversation.entries) expect(lines[origin.line - 1]).toMatch(/\S/);
  });
});

describe('stored VS Code chats', () => {
  it('reads a chat with one answer', async () => {
    const { conversation, model, title } = await opened(fixture('first-answer.jsonl'));
    expect(picture(conversation.agentContext)).toEqual(['user: @strata hello there', 'assistant: hi hello there']);
    expect([model, title]).toEqual(['probe/m1', '@strata hello there']);
  });

  it('reads tool calls, refusals, a failure and a request that was taken back', async () => {
    const session = await opened(fixture('tools-and-endings.jsonl'));
    expect(session).toMatchObject({
      id: '5b0c2f0e-6a43-4d0c-9a55-7e1d3f1a9c11',
      title: 'Keys dropped by the loader',
      cwd: '/home/anna/configtool',
      contextWindow: 128_000,
    });
    const { agentContext, entries } = session.conversation;
    expect(agentContext.map(speakerAndLine)).toEqual([
      'user 3',
      'assistant 5',
      'tool 7',
      'assistant 5',
      'tool 7',
      'assistant 6',
      'user 12',
      'assistant 13',
      ...Array<string>(5).fill('tool 13'),
      'assistant 13',
      'user 19',
      'injected 20',
      'user 24',
      'assistant 25',
    ]);
    expect(picture(entries).filter((line) => !picture(agentContext).includes(line))).toEqual([
      'user: Forget this one.',
      'assistant: Done.',
    ]);
    expect(agentContext[5]?.usage).toEqual({ input: 22_000, output: 41, cacheRead: 0, cacheWrite: 0 });
    expect(agentContext[5]?.model).toBe('gpt-5-2026-06-01');
  });

  it('finds the first line of each entry in a pretty-printed chat from before version 1.109', () => {
    const file = fixture('before-1.109.json');
    const { conversation, title } = build(vscodeChat, linesOf(file));
    expect(title).toBe('What does "parse" do?');
    expect(picture(conversation.agentContext)).toEqual([
      'user: What does "parse" do?\n{ [ , + Attached: a.ts (/home/anna/a.ts)',
      'assistant: It reads `Config`. + copilot_runInTerminal 1f',
      'tool: 1f → Ran command in terminal\n[VS Code did not keep what this tool answered.]',
      'assistant: All green.',
      'user: Thanks',
      'injected: [This reply was cancelled.]',
    ]);
    const lines = linesOf(file);
    const below = conversation.entries.map(({ origin }) => lines[origin.line]?.trim());
    expect(below).toEqual([
      '"requestId": "request_a",',
      '"kind": "toolInvocationSerialized",',
      '"kind": "toolInvocationSerialized",',
      '"value": "All green.",',
      '"requestId": "request_b",',
      '"requestId": "request_b",',
    ]);
  });

  it('reads chats from before version 1.109 on one line or with other indentation', async () => {
    const whole = JSON.parse(readFileSync(fixture('before-1.109.json'), 'utf8')) as object;
    const expected = picture(build(vscodeChat, linesOf(fixture('before-1.109.json'))).conversation.entries);
    for (const content of [JSON.stringify(whole), JSON.stringify(whole, null, '\t'), JSON.stringify(whole, null, 4)]) {
      const { conversation } = await opened(written(content, 'chat.json'));
      expect(picture(conversation.entries)).toEqual(expected);
    }
  });

  it('reports a truncated file from before version 1.109 as one issue without entries', async () => {
    const text = readFileSync(fixture('before-1.109.json'), 'utf8');
    const file = written(`${text.slice(0, text.indexOf('"requestId": "request_b"'))}\n`, 'chat.json');
    const { conversation, issues } = await opened(file);
    expect(conversation.entries).toEqual([]);
    expect(issues.map((issue) => String(issue.message))).toEqual([
      expect.stringMatching(/not valid JSON: it is truncated/),
    ]);
  });
});

describe('the chats of an installed VS Code', () => {
  function editorWith(...files: readonly string[]): string {
    const editor = temporary();
    for (const file of files) {
      mkdirSync(dirname(join(editor, file)), { recursive: true });
      copyFileSync(fixture('first-answer.jsonl'), join(editor, file));
    }
    return editor;
  }

  it('finds chats of all workspaces and of empty windows, and no other files', async () => {
    const editor = editorWith(
      'workspaceStorage/a1/chatSessions/one.jsonl',
      'workspaceStorage/b2/chatSessions/two.jsonl',
      'globalStorage/emptyWindowChatSessions/three.jsonl',
      'workspaceStorage/a1/chatEditingSessions/state.jsonl',
      'workspaceStorage/a1/chatSessions/notes.txt',
      'globalStorage/other/four.jsonl',
    );
    const { sessions, issues } = await discoverSessions({ ...nowhere, editorFolders: [editor] });
    expect(issues).toEqual([]);
    expect(sessions.map(({ agent, file }) => [agent, file.slice(editor.length + 1)]).sort()).toEqual([
      ['vscode-chat', 'globalStorage/emptyWindowChatSessions/three.jsonl'],
      ['vscode-chat', 'workspaceStorage/a1/chatSessions/one.jsonl'],
      ['vscode-chat', 'workspaceStorage/b2/chatSessions/two.jsonl'],
    ]);
    expect(sessions[0]).toMatchObject({ id: 'a0533374-3170-41b3-8815-96c993d35799', title: '@strata hello there' });
  });

  it('lists title and state of a chat from its first and last lines', async () => {
    const editor = temporary();
    const folder = join(editor, 'workspaceStorage', 'a1', 'chatSessions');
    mkdirSync(folder, { recursive: true });
    const long = Array.from({ length: 300 }, (_, index) => asked(`q${index}`, 'x'.repeat(1000), [markdown('y')]));
    const lines = [began(), ...long.map((request) => push(['requests'], [request]))];
    const last = push(['requests'], [asked('last', 'and?', [], pending)]);
    const done = set(['requests', 300, 'modelState'], { value: 1 });
    const title = set(['customTitle'], 'A long one');
    writeFileSync(join(folder, 'goes-on.jsonl'), log(...lines, title, last));
    writeFileSync(
      join(folder, 'done.jsonl'),
      log(...lines, title, last, done, set(['requests', 300, 'followups'], [])),
    );
    const { sessions } = await discoverSessions({ ...nowhere, editorFolders: [editor] });
    expect(sessions.map(({ file, title, live }) => [basename(file), title, live]).sort()).toEqual([
      ['done.jsonl', 'A long one', false],
      ['goes-on.jsonl', 'A long one', true],
    ]);
  });

  it('reads the folder of a chat from workspace.json', async () => {
    const editor = editorWith('workspaceStorage/a1/chatSessions/one.jsonl');
    writeFileSync(join(editor, 'workspaceStorage/a1/workspace.json'), '{\n  "folder": "file:///home/anna/my%20app"\n}');
    const { sessions } = await discoverSessions({ ...nowhere, editorFolders: [editor] });
    expect(sessions.map(({ cwd }) => cwd)).toEqual(['/home/anna/my app']);
    expect((await opened(join(editor, 'workspaceStorage/a1/chatSessions/one.jsonl'))).cwd).toBe('/home/anna/my app');
  });

  it('opens a chat without a final line break, and reads a rewritten one without an issue', async () => {
    const text = readFileSync(fixture('before-1.109.json'), 'utf8');
    const file = written(text.trimEnd(), 'chat.json');
    expect((await opened(file)).issues).toEqual([]);
    const stop = new AbortController();
    const next = Promise.withResolvers<Session>();
    const outcome = await followSession(file, next.resolve, {
      environment: nowhere,
      signal: stop.signal,
      onFailure: next.reject,
    });
    expect(outcome.kind).toBe('opened');
    writeFileSync(file, text.trimEnd().replace('"Thanks"', '"Thank you"'));
    const { issues, conversation } = await next.promise;
    stop.abort();
    expect(issues).toEqual([]);
    expect(picture(conversation.entries)).toContain('user: Thank you');
  });

  it('shows a chat as live while its response is incomplete and the file is recent', async () => {
    const file = written(log(began([asked('q1', 'hi', [], pending)])));
    expect((await opened(file)).live).toBe(true);
    utimesSync(file, new Date(), new Date(Date.now() - 5 * 60_000));
    expect((await opened(file)).live).toBe(false);
  });

  it('reads appended lines, and a rewritten file from the start', async () => {
    const file = written(log(began(), push(['requests'], [asked('q1', 'one', [], pending)])));
    const outcome = await SessionReader.open(file, { environment: nowhere });
    if (outcome.kind !== 'reading') throw new Error(String(outcome.message));
    const seen = async () => picture((await outcome.reader.session()).conversation.entries);
    expect(await seen()).toEqual(['user: one']);
    writeFileSync(file, log(push(['requests', 0, 'response'], [markdown('1')]), set(['customTitle'], 'T')), {
      flag: 'a',
    });
    expect(await seen()).toEqual(['user: one', 'assistant: 1']);
    writeFileSync(file, log(began([asked('q1', 'one', [markdown('1, really')])])));
    expect(await seen()).toEqual(['user: one', 'assistant: 1, really']);
  });
});
