import { spawnSync } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { userInfo } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { textOf } from '../../../extension/engine/conversation/entry';
import { forkSession } from '../../../extension/inspection/fork/fork-session';
import { OperationRefused } from '../../../extension/inspection/inspection';
import { temporaryFolders } from '../../sessions/temporary';
import { compact, copyOf, filesIn, hash, inspect, words } from './inspect';

const temporary = temporaryFolders();

const every = ['naive', 'codex', 'prune', 'tool-calls'] as const;
const withoutToolCalls = ['naive', 'codex', 'prune'] as const;

const forkable = [
  { name: 'pi of today', fixture: 'pi-0.87/before-compaction.jsonl', strategies: every },
  { name: 'pi after its own compaction', fixture: 'pi-0.87/after-compaction.jsonl', strategies: every },
  { name: 'pi 0.73', fixture: 'pi-0.73/before-compaction.jsonl', strategies: every },
  { name: 'Claude Code', fixture: 'claude-code-2.1.330/before-compaction.jsonl', strategies: every },
  { name: 'Codex', fixture: 'codex-0.169/after-compaction.jsonl', strategies: withoutToolCalls },
  {
    name: 'Qwen Code',
    fixture: 'qwen-code-0.24/chats/8f65f7d2-9473-44b9-aa61-d198644549bc.jsonl',
    strategies: ['naive', 'codex'] as const,
  },
  {
    name: 'Claude Code after its own compaction',
    fixture: 'claude-code-2.1.330/after-compaction.jsonl',
    strategies: withoutToolCalls,
  },
];

describe.each(forkable)('a fork of a session of $name', ({ fixture, strategies }) => {
  it.each(strategies)('says what %s shows, and leaves the original alone', async (strategy) => {
    const folder = temporary();
    const file = copyOf(fixture, folder);
    const before = hash(file);
    const inspection = await inspect(file, folder);
    await compact(inspection, strategy);
    await inspection.coreEditor.pin('constraint', 'Never touch the database.', null);
    const fork = await forkSession(inspection);
    expect(hash(file)).toBe(before);
    expect(fork.file).not.toBe(file);
    expect(dirname(fork.file)).toBe(dirname(file));
    expect(fork.command[0]).toBe(fork.agent.replace(/-code$/, ''));
    const forked = await inspect(fork.file, folder);
    expect(forked.session.id).toBe(fork.id);
    expect(forked.session.issues).toEqual([]);
    expect(words(forked.context)).toBe(words(inspection.context));
    expect(words(forked.context).split('Nevertouchthedatabase.')).toHaveLength(2);
    expect(forked.journal.state.items).toMatchObject([{ text: 'Never touch the database.', status: 'active' }]);
    expect(filesIn(dirname(file))).toHaveLength(2);
    expect(statSync(fork.file).mode & 0o777).toBe(statSync(file).mode & 0o777);
  });

  it('is a copy under a new id if nothing was compacted', async () => {
    const folder = temporary();
    const file = copyOf(fixture, folder);
    const inspection = await inspect(file, folder);
    const fork = await forkSession(inspection);
    const forked = await inspect(fork.file, folder);
    expect(forked.session.conversation.agentContext.map(({ id }) => id)).toEqual(
      inspection.session.conversation.agentContext.map(({ id }) => id),
    );
    expect(forked.session.id).not.toBe(inspection.session.id);
  });

  it('before any prompt has the messages before it, including those that later compactions replaced', async () => {
    const folder = temporary();
    const inspection = await inspect(copyOf(fixture, folder), folder);
    const { entries } = inspection.session.conversation;
    const prompts = entries.filter(({ role, injected, summary }) => role === 'user' && !injected && !summary);
    expect(prompts.length).toBeGreaterThan(2);
    const [first, ...others] = prompts;
    await expect(forkSession(inspection, { before: first?.id ?? '' })).rejects.toThrow(/Nothing was said before/);
    for (const prompt of others) {
      const fork = await forkSession(inspection, { before: prompt.id });
      expect(fork.prompt).toBe(textOf(prompt.parts));
      const said = (await inspect(fork.file, folder)).session.conversation.entries.map(({ id }) => id);
      const until = entries.slice(0, entries.indexOf(prompt)).map(({ id }) => id);
      // Entries from the prompt's own record are left out with it.
      const missing = until.filter((id) => !said.includes(id) && !id.startsWith(`${prompt.id}:`));
      expect(missing).toEqual([]);
      expect(said).not.toContain(prompt.id);
    }
  });
});

describe('where a fork is written', () => {
  it('is beside the session itself, not beside a link to it, and a note says if its agent will not find it', async () => {
    const folder = temporary();
    const file = copyOf('claude-code-2.1.330/before-compaction.jsonl', join(folder, 'home/.claude/projects'));
    const link = join(folder, 'link.jsonl');
    symlinkSync(file, link);
    symlinkSync(join(folder, 'home'), join(folder, 'linked-home'));
    const environment = { home: join(folder, 'linked-home'), variables: {} };
    const fork = await forkSession(await inspect(link, folder), { environment });
    expect(dirname(fork.file)).toBe(dirname(file));
    expect(fork.notes).toEqual([]);
    const elsewhere = await forkSession(await inspect(link, folder), {
      environment: { ...environment, home: '/nowhere' },
    });
    expect(elsewhere.notes.map(String)).toEqual([
      expect.stringContaining('Claude Code looks for sessions in its own folders only'),
    ]);
  });
});

describe('a fork of a fork', () => {
  it.each(['pi-0.87/before-compaction.jsonl', 'claude-code-2.1.330/before-compaction.jsonl'])(
    'says what is pinned once, as it is now: %s',
    async (fixture) => {
      const folder = temporary();
      const inspection = await inspect(copyOf(fixture, folder), folder);
      await compact(inspection);
      await inspection.coreEditor.pin('constraint', 'Never touch the database.', null);
      const first = await inspect((await forkSession(inspection)).file, folder);
      await first.coreEditor.pin('constraint', 'Nor the network.', null);
      const second = await inspect((await forkSession(first)).file, folder);
      expect(words(second.context).split('Nevertouchthedatabase.')).toHaveLength(2);
      expect(words(second.context).split('Northenetwork.')).toHaveLength(2);
    },
  );
});

describe('a fork is refused, with the reason, and leaves no file', () => {
  it('while the agent is at work', async () => {
    const folder = temporary();
    const file = copyOf('pi-0.87/before-compaction.jsonl', folder);
    const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
    const prompt = {
      type: 'message',
      id: 'new',
      parentId: JSON.parse(lines.at(-1) ?? '').id,
      timestamp: '2026-11-22T00:00:00Z',
    };
    appendFileSync(file, `${JSON.stringify({ ...prompt, message: { role: 'user', content: 'And now?' } })}\n`);
    const inspection = await inspect(file, folder);
    await expect(forkSession(inspection)).rejects.toThrow(/pi may be at work in this session.* in \d+ seconds/);
    expect(filesIn(dirname(file))).toHaveLength(1);
    const fork = await forkSession(inspection, { before: 'new' });
    expect(fork.prompt).toBe('And now?');
    expect((await forkSession(inspection, { isInterrupted: true })).command[0]).toBe('pi');
  });

  it('while a process has a session open that waits for an answer, and not once that process is gone', async () => {
    const folder = temporary();
    const file = copyOf('claude-code-2.1.330/before-compaction.jsonl', folder);
    const last = JSON.parse(readFileSync(file, 'utf8').trimEnd().split('\n').at(-1) ?? '');
    const { sessionId } = last;
    const asked = {
      type: 'user',
      uuid: 'new',
      parentUuid: last.uuid,
      sessionId,
      message: { role: 'user', content: 'And?' },
    };
    appendFileSync(file, `${JSON.stringify(asked)}\n`);
    const status = (pid: number) => {
      const place = join(folder, '.claude', 'sessions', `${pid}.json`);
      mkdirSync(dirname(place), { recursive: true });
      writeFileSync(place, JSON.stringify({ pid, sessionId }));
      return place;
    };
    const own = status(process.pid);
    const open = await inspect(file, folder);
    expect(open.session).toMatchObject({ live: true, awaitsReply: true });
    await expect(forkSession(open, { isInterrupted: true })).rejects.toThrow(/Claude Code is at work in this session/);
    rmSync(own);
    const ended = spawnSync(process.execPath, ['-e', '']).pid;
    status(ended);
    const left = await inspect(file, folder);
    expect(left.session.live).toBe(false);
    expect((await forkSession(left)).command[0]).toBe('claude');
  });

  it('when the session has changed under it', async () => {
    const folder = temporary();
    const file = copyOf('pi-0.87/before-compaction.jsonl', folder);
    const inspection = await inspect(file, folder);
    const last = JSON.parse(readFileSync(file, 'utf8').trimEnd().split('\n').at(-1) ?? '').id;
    const message = { role: 'user', content: 'Something new' };
    appendFileSync(file, `${JSON.stringify({ type: 'message', id: 'x', parentId: last, timestamp: '', message })}\n`);
    await expect(forkSession(inspection)).rejects.toThrow(/has changed while it was copied/);
    expect(filesIn(dirname(file))).toHaveLength(1);
  });

  it('when there is no such prompt', async () => {
    const folder = temporary();
    const inspection = await inspect(copyOf('pi-0.87/before-compaction.jsonl', folder), folder);
    await expect(forkSession(inspection, { before: 'nothing' })).rejects.toThrow(OperationRefused);
  });

  it.skipIf(userInfo().uid === 0)('when the folder cannot be written', async () => {
    const folder = temporary();
    const file = copyOf('pi-0.87/before-compaction.jsonl', folder);
    const inspection = await inspect(file, folder);
    chmodSync(dirname(file), 0o500);
    await expect(forkSession(inspection)).rejects.toThrow(/could not be written \(EACCES\)/);
    chmodSync(dirname(file), 0o700);
  });

  it('when Strata cannot write sessions of its agent', async () => {
    const folder = temporary();
    const file = copyOf('vscode-chat/first-answer.jsonl', folder);
    await expect(forkSession(await inspect(file, folder))).rejects.toThrow(/cannot write sessions of VS Code chat/);
  });

  it('when a file of its name exists', async () => {
    const folder = temporary();
    const file = copyOf('claude-code-2.1.330/before-compaction.jsonl', folder);
    const inspection = await inspect(file, folder);
    const uuid = '11111111-2222-4333-8444-555555555555';
    const chance = { uuid: () => uuid, now: () => new Date(0) };
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(join(dirname(file), `${uuid}.jsonl`), 'somebody else was here');
    await expect(forkSession(inspection, { chance })).rejects.toThrow(/EEXIST|already exists/);
    expect(readFileSync(join(dirname(file), `${uuid}.jsonl`), 'utf8')).toBe('somebody else was here');
    expect(filesIn(dirname(file))).toHaveLength(2);
  });
});
