import { rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cline } from '../../../extension/agents/cline/format/adapter';
import { openSession } from '../../../extension/sessions/open';
import type { SessionReading } from '../../../extension/sessions/reading';
import { contextFaults } from '../../sessions/context-faults';
import { picture } from '../../sessions/picture';
import { temporaryFolders } from '../../sessions/temporary';
import { call, type Fields, opened, prompt, reply, result, words, write, writeCliSession } from './session-files';

const folder = temporaryFolders();

async function contextOf(...messages: readonly unknown[]): Promise<string[]> {
  const { agentContext } = (await opened(writeCliSession(folder(), messages))).conversation;
  expect(contextFaults(agentContext)).toEqual([]);
  return picture(agentContext).slice(1);
}

describe('the context of a Cline session', () => {
  it('sends the system prompt, and prompts without their tags', async () => {
    const session = await opened(writeCliSession(folder(), [prompt('q1', 'fix it'), reply('a1', [words('done')])]));
    expect(picture(session.conversation.agentContext)).toEqual([
      'system: You are Cline.',
      'user: fix it',
      'assistant: done',
    ]);
  });

  it('leaves out messages with an unknown role', async () => {
    expect(await contextOf(prompt('q1', 'look'), { ...prompt('x', 'who am I?'), role: 'somebody' })).toEqual([
      'user: look',
    ]);
  });

  it('gives each entry a unique id, whatever ids the messages have', async () => {
    const two = { ...result('m', 'c1', 'done'), content: [result('m', 'c1', 'done').content, words('and?')].flat() };
    const messages = [prompt('system', 'look'), reply('a1', [call('c1')]), two, prompt('m/2', 'more')];
    const { entries } = (await opened(writeCliSession(folder(), messages))).conversation;
    expect(new Set(entries.map(({ id }) => id)).size).toBe(entries.length);
    expect(entries).toHaveLength(6);
  });

  it('puts each result after its call, with data as JSON', async () => {
    const read = [{ query: 'ls', result: 'a.txt', success: true }];
    expect(
      await contextOf(
        prompt('q1', 'look'),
        reply('a1', [{ type: 'thinking', thinking: 'hm' }, call('c1'), call('c2')]),
        result('r1', 'c1', read),
        result('r2', 'c2', [words('one'), words('two')], { is_error: true }),
        result('r3', 'c2', 'again'),
      ),
    ).toEqual([
      'user: look',
      'assistant: (hm) + run_commands c1 + run_commands c2',
      'tool: c1 → [{"query":"ls","result":"a.txt","success":true}]',
      'tool: c2 → one\ntwo !',
    ]);
  });

  it('adds a placeholder for a missing result', async () => {
    expect((await contextOf(reply('a1', [call('c1')]), prompt('q2', 'go on')))[1]).toBe(
      'tool: c1 → Tool execution was interrupted before a result was produced. Tool: run_commands. !',
    );
  });

  it('the context of a Cline session includes images, and leaves out messages for display only', async () => {
    const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } };
    const notice = prompt('n1', 'switched', { metadata: { displayOnly: true } });
    const file = writeCliSession(folder(), [{ ...prompt('q1', ''), content: [words('see'), image] }, notice]);
    const session = await opened(file);
    expect(picture(session.conversation.agentContext).slice(1)).toEqual(['user: see + [image/png]']);
    expect(session.otherRecords).toEqual({ 'message/display only': 1 });
  });
});

describe('a compaction by Cline', () => {
  const messages = [
    prompt('q1', 'one'),
    reply('a1', [words('two')]),
    prompt('q2', 'three'),
    reply('a2', [words('four')]),
    prompt('q3', 'five'),
  ];
  const summary = { role: 'user', content: [words('A summary.')], metadata: { kind: 'compaction_summary' } };
  const compaction = {
    version: 1,
    updated_at: '2026-11-21T20:36:49.198Z',
    source_message_count: 4,
    source_last_message_key: 'id:a2',
    messages: [summary, messages[2], messages[3]],
  };

  it('replaces the messages it was made from, except those it kept', async () => {
    const session = await opened(writeCliSession(folder(), messages, { compaction }));
    const { agentContext, agentCompactions, entries } = session.conversation;
    expect(picture(agentContext).slice(1)).toEqual([
      'summary: A summary.',
      'user: three',
      'assistant: four',
      'user: five',
    ]);
    expect(agentContext[2]).toBe(entries.find(({ id }) => id === 'q2'));
    expect(picture(entries)).toContain('summary: A summary.');
    expect(agentCompactions).toMatchObject([{ replacedEntryIds: ['q1', 'a1'], summaryEntryId: agentContext[1]?.id }]);
  });

  it('ignores a compaction of other messages and reports an issue', async () => {
    const shorter = await opened(writeCliSession(folder(), messages.slice(0, 3), { compaction }));
    expect(picture(shorter.conversation.agentContext).at(-1)).toBe('user: three');
    expect(shorter.issues).toHaveLength(1);
    const others = [...messages.slice(0, 3), reply('other', [words('x')])];
    expect((await opened(writeCliSession(folder(), others, { compaction }))).issues).toHaveLength(1);
  });
});

describe('a Cline session', () => {
  it('reads title, folder and state from the manifest', async () => {
    const manifest = { status: 'running', pid: process.pid, cwd: '/home/ada/scratch', metadata: { title: 'Fix it' } };
    const file = writeCliSession(folder(), [prompt('q1', 'fix it please')], { manifest });
    expect(await opened(file)).toMatchObject({ id: 's1', cwd: '/home/ada/scratch', title: 'Fix it', live: true });
    const { sessions } = await cline.list(file);
    expect(sessions).toMatchObject([{ key: null, id: 's1', title: 'Fix it', inUse: true }]);
    const ended = writeCliSession(folder(), [reply('a1', [words('done')])], {
      manifest: { ...manifest, pid: 2 ** 30 },
    });
    expect((await opened(ended)).live).toBe(false);
  });

  it('subtracts the cached tokens from the input tokens', async () => {
    const metrics = { inputTokens: 100, outputTokens: 7, cacheReadTokens: 60, cacheWriteTokens: 10 };
    const file = writeCliSession(folder(), [reply('a1', [words('done')], { metrics })]);
    const usage = { input: 30, output: 7, cacheRead: 60, cacheWrite: 10 };
    expect((await opened(file)).conversation.entries[1]).toMatchObject({ usage, model: 'm' });
  });

  it('gives each entry the line of its message', async () => {
    const file = writeCliSession(folder(), [prompt('q1', 'a "quoted" [text] {\n'), reply('a1', [words('done')])]);
    const { entries } = (await opened(file)).conversation;
    expect(entries.map(({ id, origin }) => [id, origin.line])).toEqual([
      ['system', 33],
      ['q1', 6],
      ['a1', 17],
    ]);
  });

  it('reads malformed messages without failing', async () => {
    const odd = [1, null, 'x', {}, { role: 'user', content: 5 }, { id: 'q1', role: 'oracle', content: 'hm' }];
    const file = writeCliSession(folder(), [
      ...odd,
      prompt('q1', 'same id'),
      { id: 7, role: 'assistant', content: [null, {}] },
    ]);
    const { conversation } = await opened(file);
    expect(new Set(conversation.entries.map(({ id }) => id)).size).toBe(conversation.entries.length);
    expect(picture(conversation.entries)).toContain('user: same id');
  });

  it('links subagents to earlier calls', async () => {
    const spawn = reply('a1', [call('c1', 'spawn_agent'), call('c2', 'spawn_agent')]);
    const file = writeCliSession(folder(), [prompt('q1', 'go'), spawn]);
    const agents = ['agent_1795000000600_x', 'agent_1795000000900_y', 'agent_1795000000990_z'].map((name) =>
      write(join(dirname(file), `${name}.messages.json`), {
        sessionId: name,
        origin: { parentThreadId: 's1' },
        messages: [prompt('p1', 'sub')],
      }),
    );
    expect((await opened(file)).subagents.map((agent) => [agent.callId, agent.file])).toEqual([
      ['c1', agents[0]],
      ['c2', agents[1]],
      [null, agents[2]],
    ]);
    expect((await opened(agents[0] ?? '')).parent).toEqual({ file, callId: null });
    expect((await cline.list(agents[0] ?? '')).sessions).toMatchObject([{ isUnlisted: true }]);
  });
});

describe('following a Cline session', () => {
  async function follow(messages: readonly Fields[]): Promise<{ file: string; at: string; reading: SessionReading }> {
    const at = folder();
    const file = writeCliSession(at, messages);
    const opening = await cline.open(file, null);
    if (opening.kind !== 'reading') throw new Error(String(opening.message));
    return { file, at, reading: opening.reading };
  }

  it('keeps the entries of unchanged messages', async () => {
    const { at, reading } = await follow([prompt('q1', 'one'), reply('a1', [words('t')])]);
    const [, first, second] = reading.parsed.conversation.entries;
    writeCliSession(at, [prompt('q1', 'one'), reply('a1', [words('two')]), prompt('q2', 'three')]);
    expect(await reading.readOn()).toEqual({ kind: 'read' });
    const after = reading.parsed.conversation.entries;
    expect(after[1]).toBe(first);
    expect(after[2]).not.toBe(second);
    expect(picture(after).slice(2)).toEqual(['assistant: two', 'user: three']);
    expect(await reading.readOn()).toEqual({ kind: 'unchanged' });
  });

  it('keeps the session with an issue while the file is incomplete', async () => {
    const { file, at, reading } = await follow([prompt('q1', 'one')]);
    const before = reading.parsed.conversation;
    write(file, '{"version": 1,\n "messages": [{"id": "q1", "ro');
    await reading.readOn();
    expect(reading.parsed.conversation).toBe(before);
    expect(reading.parsed.issues).toMatchObject([{ file, line: 2 }]);
    writeCliSession(at, [prompt('q1', 'one'), reply('a1', [words('two')])]);
    await reading.readOn();
    expect(reading.parsed.issues).toEqual([]);
    rmSync(file);
    expect(await reading.readOn()).toMatchObject({ kind: 'missing' });
  });

  it('updates the name of a result when its call changes', async () => {
    const out = result('r', 'c1', 'out');
    const { at, reading } = await follow([reply('a', [call('c1')]), out]);
    const nameOf = () => reading.parsed.conversation.entries.at(-1)?.parts;
    expect(nameOf()).toMatchObject([{ name: 'run_commands' }]);
    writeCliSession(at, [prompt('q', 'x'), out]);
    await reading.readOn();
    expect(nameOf()).toMatchObject([{ name: null }]);
  });

  it('equals the same session read at once', async () => {
    const message = fc.oneof(
      fc.nat(4).map((n) => prompt(`q${n}`, `prompt ${n}`)),
      fc.nat(4).map((n) => reply(`a${n}`, [words(`reply ${n}`), call(`c${n}`)])),
      fc.nat(4).map((n) => result(`r${n}`, `c${n}`, 'out')),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(message, { maxLength: 8 }), { minLength: 1, maxLength: 5 }),
        async (states) => {
          const { file, at, reading } = await follow(states[0] ?? []);
          for (const state of states.slice(1)) {
            writeCliSession(at, state);
            await reading.readOn();
          }
          const anew = await cline.open(file, null);
          if (anew.kind !== 'reading') throw new Error(String(anew.message));
          expect(anew.reading.parsed).toEqual(reading.parsed);
          expect(contextFaults(reading.parsed.conversation.agentContext)).toEqual([]);
        },
      ),
      { numRuns: 40 },
    );
  });
});

describe('a Cline session file', () => {
  it('reports a file that is truncated anywhere', async () => {
    const whole = JSON.stringify({ sessionId: 's', messages: [prompt('q1', 'one')] });
    const file = join(folder(), 's1', 's1.messages.json');
    for (let length = 0; length < whole.length; length += 7) {
      write(file, whole.slice(0, length));
      expect(['empty', 'unreadable', 'foreign']).toContain((await openSession(file)).kind);
    }
  });

  it('looks for sessions in the folder that the environment names', () => {
    expect(cline.roots({ home: '/h', variables: {} })).toEqual(['/h/.cline/data/sessions']);
    const editorFolders = ['/code/User'];
    expect(cline.roots({ home: '/h', variables: { CLINE_DATA_DIR: '/data' }, editorFolders })).toEqual([
      '/data/sessions',
      '/code/User/globalStorage/saoudrizwan.claude-dev/tasks',
    ]);
  });
});
