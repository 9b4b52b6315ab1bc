import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { appendFile, copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { strategyChoices } from '../../extension/engine/run/prepare/registry';
import { multiple, single } from '../agents/pi/messages-by-name';
import { buildTimeoutMs, built } from '../builders/built';
import { sampleSessions } from '../builders/samples';
import { type Outcome, Resident } from './resident';

/**
 * Tests of the built command. Tests about the process start one of their own; the others share one resident process.
 */

const root = resolve(import.meta.dirname, '../..');
const samples = sampleSessions();
const strategyNames = strategyChoices().map(({ name }) => name);
let program: string;
let resident: Resident;
let folder: string;
let journal: string;

beforeAll(async () => {
  program = join(await built('embeddings', 'cli'), 'cli/strata.js');
  resident = await Resident.start(program);
  folder = await mkdtemp(join(tmpdir(), 'strata-cli-'));
}, buildTimeoutMs);

beforeEach(async () => {
  journal = await mkdtemp(join(folder, 'journal-'));
});

afterAll(() => {
  resident.stop();
  return rm(folder, { recursive: true, force: true });
});

/** Runs in the resident process. */
function strata(...args: string[]): Promise<Outcome> {
  return resident.run(['--journal', journal, ...args]);
}

/** Runs in a process of its own. */
function strataAlone(args: readonly string[], env = process.env): Promise<Outcome> {
  return outcomeOf(spawn(process.execPath, [program, '--journal', journal, ...args], { env }));
}

function outcomeOf(child: ChildProcessWithoutNullStreams): Promise<Outcome> {
  return new Promise((done, failed) => {
    const output = { stdout: '', stderr: '' };
    child.stdout.on('data', (chunk) => {
      output.stdout += chunk;
    });
    child.stderr.on('data', (chunk) => {
      output.stderr += chunk;
    });
    child.on('error', failed);
    child.on('close', (code) => done({ code, ...output }));
  });
}

async function json(...args: string[]) {
  return jsonOf(await strata(...args));
}

function jsonOf({ code, stdout, stderr }: Outcome) {
  expect({ code, stderr: code === 0 ? '' : stderr }).toEqual({ code: 0, stderr: '' });
  return JSON.parse(stdout);
}

async function hash(file: string): Promise<string> {
  return createHash('sha256')
    .update(await readFile(file))
    .digest('hex');
}

/** The sample with enough old turns for every tier. */
function longSample(): string {
  const found = samples.find(({ name }) => name.includes('v1'));
  if (!found) throw new Error('There is no long session among the fixtures.');
  return found.file;
}

describe('strata', () => {
  it.each(samples)(
    'compact, then undo, gives back the context of $name byte for byte, and leaves its file alone',
    async ({ file }) => {
      const untouched = await hash(file);
      const contexts = () =>
        Promise.all(['openai', 'anthropic'].map((format) => strata('context', file, '--format', format)));
      const [openai, anthropic] = await contexts();
      const { blocks } = await json('compact', file, '--json');
      if (blocks.length > 0) {
        expect((await strata('context', file, '--format', 'openai')).stdout).not.toBe(openai?.stdout);
        expect((await strata('undo', file)).code).toBe(0);
      }
      const [openaiAfter, anthropicAfter] = await contexts();
      expect(openaiAfter?.stdout).toBe(openai?.stdout);
      expect(anthropicAfter?.stdout).toBe(anthropic?.stdout);
      expect(await hash(file)).toBe(untouched);
    },
  );

  it.each(samples)('inspect keeps its promises on $name', async ({ file }) => {
    const { session, entries, context, compactions } = await json('inspect', file, '--json');
    expect(session).toMatchObject({ file, live: expect.any(Boolean), issues: expect.any(Array) });
    const known = new Set(entries.map((entry: { id: string }) => entry.id));
    expect(known.size).toBe(entries.length);
    const shown = context.messages.flatMap((message: { entryIds: string[] }) => message.entryIds);
    expect(new Set(shown).size).toBe(shown.length);
    for (const id of shown) expect(known).toContain(id);
    const parts = Object.values<number>(context.tokens.byKind).reduce((sum, count) => sum + count, 0);
    expect(parts).toBe(context.tokens.total);
    for (const compaction of compactions) expect(compaction.by).toBe('agent');
  });

  it('context prints what stays after the newest of several compactions, for a file without a header', async () => {
    const contextOf = async (name: string, records: readonly unknown[]) => {
      const file = join(folder, `${name}.jsonl`);
      await writeFile(file, records.map((record) => JSON.stringify(record)).join('\n'));
      const { messages } = await json('context', file, '--format', 'openai');
      return messages.map(({ role, content }: { role: string; content: string }) => `${role} ${content}`);
    };
    const turn = (number: number) => [
      `user u${number}`,
      `assistant a${number}`,
      `tool t${number}`,
      `assistant a${number}`,
    ];
    expect(await contextOf('single', single)).toEqual(['user one', ...turn(4)]);
    expect(await contextOf('multiple', multiple)).toEqual(['user two', ...turn(6), 'user u7', 'assistant a7']);
  });

  it('brings a long session to its target by default', async () => {
    const { tokensBefore, tokensAfter, blocks } = await json('compact', longSample(), '--dry-run', '--json');
    expect(tokensAfter).toBeLessThan(tokensBefore * 0.6);
    for (const block of blocks) expect(block.text.split('\n')[0]).toBe(block.tag);
  });

  it('gets a long session below half of its tokens, and says what went', async () => {
    const { tokensBefore, tokensAfter, blocks } = await json(
      'compact',
      longSample(),
      '--strategy',
      'pipeline',
      '--json',
    );
    expect(tokensAfter).toBeLessThan(tokensBefore / 2);
    expect(blocks.some((block: { tag: string }) => block.tag === '[GOAL BATCH]')).toBe(true);
    for (const block of blocks) {
      expect(block.text.split('\n')[0]).toBe(block.tag);
      expect(Object.keys(block.loss)).toEqual(['messages', 'files', 'open', 'outputs']);
    }
  });

  it('writes nothing in a dry run', async () => {
    const dry = await json('compact', longSample(), '--dry-run', '--json');
    expect(dry.blocks.length).toBeGreaterThan(0);
    expect((await json('inspect', longSample(), '--json')).compactions.filter(byStrata)).toEqual([]);
  });

  it('brings one prompt with 150 large steps to the target by checkpoint alone, and says how', async () => {
    const file = join(folder, 'one-prompt.jsonl');
    await writeFile(file, onePromptSession(150));
    const { stdout } = await strata('compact', file, '--strategy', 'checkpoint', '--dry-run');
    const [, before = '', after = ''] = /(\d+) → (\d+) tokens/.exec(stdout) ?? [];
    expect(Number(before)).toBeGreaterThan(150_000);
    expect(Number(after)).toBeLessThan(100_000);
    expect(stdout).toContain('Checkpoint: Takes old steps of a long turn too; its prompt stays.');
  });

  it('lists every strategy with its parameters', async () => {
    const { strategies } = await json('strategies', '--json');
    expect(strategies.map(({ name }: { name: string }) => name)).toEqual(strategyNames);
    const checkpoint = strategies.find(({ name }: { name: string }) => name === 'checkpoint');
    expect(checkpoint.steps).toEqual([
      { strategy: 'checkpoint', parameters: { reserveTokens: 16384, keepRecentTokens: 20000, target: 0 } },
    ]);
  });

  it.each(samples)(
    'tries every strategy on $name without writing anything',
    async ({ file }) => {
      const { strategies, tokensBefore } = await json('compare', file, '--json');
      expect(strategies.map(({ strategy }: { strategy: string }) => strategy)).toEqual(strategyNames);
      const dryRuns = await Promise.all(
        strategyNames.map((name) => strata('compact', file, '--strategy', name, '--dry-run', '--json')),
      );
      for (const [at, { tokensAfter, blocks, outputs, beneath, notes }] of strategies.entries()) {
        const dry = jsonOf(dryRuns[at] as Outcome);
        expect([dry.tokensAfter, dry.inContext]).toEqual([tokensAfter, { blocks, outputs, beneath }]);
        if (blocks + outputs === 0) expect(notes).not.toEqual([]);
        else expect(tokensAfter).toBeLessThan(tokensBefore);
      }
      expect((await json('inspect', file, '--json')).compactions.filter(byStrata)).toEqual([]);
    },
    300_000,
  );

  it('takes parameters of a strategy', async () => {
    const blocks = async (...args: string[]) =>
      (await json('compact', longSample(), '--dry-run', '--json', ...args)).blocks.length;
    const tools = ['--strategy', 'tool-calls'];
    expect(await blocks(...tools, '--set', 'messagesOldThreshold=2')).toBeGreaterThan(await blocks(...tools));
    expect(await blocks('--set', 'goal-batch.minTurnsToCompact=99')).toBeGreaterThan(0);
  });

  it('proposes for the core, and takes in what a person confirms', async () => {
    const said = (text: string) =>
      `${JSON.stringify({ type: 'message', timestamp: '2025-12-09T12:00:00.000Z', message: { role: 'user', content: [{ type: 'text', text }], timestamp: 1765281600000 } })}\n`;
    const file = join(folder, 'proposing.jsonl');
    await writeFile(
      file,
      (await readFile(longSample(), 'utf8')) + said('/goal Ship the picker.') + said('/remember Never force-push.'),
    );
    const { items, tokens } = await json('core', file, '--propose', '--json');
    expect(tokens).toBe(0);
    const [first, second] = items;
    expect(first).toMatchObject({ status: 'proposed', proposedBy: 'structure' });
    const after = await json('core', file, '--confirm', first.id, '--refuse', second.id.slice(0, 8), '--json');
    expect(after.items.slice(0, 2).map(({ status }: { status: string }) => status)).toEqual(['active', 'refused']);
    expect((await strata('context', file)).stdout).toContain(first.text);
    expect((await strata('core', file, '--confirm', 'nonesuch')).code).toBe(1);
  });

  it('retires the original goal once a newer one is pinned and the person says so', async () => {
    await strata('compact', longSample());
    await strata('pin', longSample(), '--goal', 'Write the release notes.');
    const asked = await strata('core', longSample());
    expect(asked.stdout).toContain('--done original-goal removes it from the context');
    expect((await json('core', longSample(), '--json')).core.original_goal).not.toBeNull();
    const { core, originalGoal } = await json('core', longSample(), '--done', 'original-goal', '--json');
    expect(core).toMatchObject({ original_goal: null, current_goal: 'Write the release notes.' });
    expect(originalGoal).toMatchObject({ status: 'done', isProposedDone: false });
  });

  it('pins a decision with its reason', async () => {
    await strata('pin', longSample(), '--decision', 'Use TOML.', '--rationale', 'the loader reads it already');
    const { core } = await json('core', longSample(), '--json');
    expect(core.key_decisions).toMatchObject([{ decision: 'Use TOML.', rationale: 'the loader reads it already' }]);
    expect((await strata('context', longSample())).stdout).toContain(
      '- Use TOML. (because: the loader reads it already)',
    );
  });

  it('drafts a handoff with the goal, the core and what matters', async () => {
    await strata('pin', longSample(), '--constraint', 'Never touch legacy/.');
    const { stdout } = await strata('handoff', longSample(), '--goal', 'Write the release notes.');
    expect(stdout).toMatch(/^Write the release notes\.\n\nPROTECTED CORE/);
    expect(stdout).toContain('- Never touch legacy/.');
    expect(stdout).toMatch(/^## (?:Earlier turns|Where I am)$/m);
  });

  it('recalls what a memory strategy remembers', async () => {
    await json('compact', longSample(), '--strategy', 'observations', '--json');
    const { hits } = await json('recall', longSample(), 'which file was edited', '--json');
    expect(hits.length).toBeGreaterThan(0);
    expect((await strata('recall', longSample(), '--fetch', hits[0].id)).stdout).toContain(hits[0].id);
  });

  it('undoes a run by the number of any of its blocks, and redoes it', async () => {
    const { blocks } = await json('compact', longSample(), '--json');
    const made = (await json('inspect', longSample(), '--json')).compactions.filter(byStrata);
    expect(made.map(({ blocks: of }: { blocks: unknown[] }) => of.length)).toEqual([blocks.length]);
    const compacted = await strata('context', longSample());
    const { stdout } = await strata('undo', longSample(), String(blocks.at(-1).seq));
    expect(stdout).toContain('#1');
    const left = (await json('inspect', longSample(), '--json')).compactions.filter(byStrata);
    expect(left).toEqual([]);
    expect((await strata('redo', longSample())).code).toBe(0);
    expect((await strata('context', longSample())).stdout).toBe(compacted.stdout);
  });

  it('shows a pinned constraint verbatim in the context, before and after compactions', async () => {
    const text = 'Never change the public signature of loadConfig().\nNot even in tests.';
    expect((await strata('pin', longSample(), '--constraint', text)).code).toBe(0);
    for (const format of ['text', 'openai', 'anthropic']) {
      const { stdout } = await strata('context', longSample(), '--format', format);
      expect(stdout.split(format === 'text' ? text : JSON.stringify(text).slice(1, -1))).toHaveLength(2);
    }
    await strata('compact', longSample());
    const { context } = await json('inspect', longSample(), '--json');
    const cores = context.messages.filter((message: { kind: string }) => message.kind === 'core');
    expect(cores).toHaveLength(1);
    expect(cores[0].text).toContain(text);
  });

  it.each([
    ['a missing file', () => join(folder, 'missing.jsonl'), /missing\.jsonl/],
    ['a folder', () => folder, /strata-cli/],
  ])('exits with 1 for %s, and names it', async (_name, file, message) => {
    const { code, stdout, stderr } = await strataAlone(['inspect', file()]);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(message);
    expect(stderr.trim().split('\n')).toHaveLength(1);
  });

  it.each([
    ['an empty file', ''],
    ['a binary file', '\u0000\u0001\u0002\u0003'.repeat(100)],
    ['somebody else’s file', '{"hello":"world"}\n{"type":"unknown"}\n'],
  ])('exits with 1 for %s, and names it', async (_name, content) => {
    const file = join(folder, 'bad.jsonl');
    await writeFile(file, content);
    const { code, stderr } = await strata('inspect', file);
    expect(code).toBe(1);
    expect(stderr).toContain(file);
    expect(await readFile(file, 'utf8')).toBe(content);
  });

  it('exits with 1 and a message when there is nothing to undo or redo', async () => {
    expect(await strata('undo', longSample())).toMatchObject({
      code: 1,
      stderr: 'strata: There is no compaction to undo.\n',
    });
    expect(await strata('redo', longSample())).toMatchObject({
      code: 1,
      stderr: 'strata: There is nothing to redo.\n',
    });
    expect((await strata('undo', longSample(), '7')).stderr).toContain('#7');
  });

  it.each([
    [[]],
    [['nonsense']],
    [['inspect']],
    [['compact', 'x.jsonl', '--strategy', 'nonesuch']],
    [['compact', 'x.jsonl', '--set', 'nonesuch=1']],
    [['compact', 'x.jsonl', '--strategy', 'prune', '--set', 'protectTokens=many']],
    [['compact', 'x.jsonl', '--summarizer', 'openai']],
    [['recall', 'x.jsonl']],
    [['context', 'x.jsonl', '--format', 'xml']],
    [['pin', 'x.jsonl']],
    [['pin', 'x.jsonl', '--goal', 'a', '--constraint', 'b']],
    [['pin', 'x.jsonl', '--goal', 'a', '--rationale', 'b']],
    [['pin', 'x.jsonl', '--decision', 'a', '--rationale', ' ']],
    [['undo', 'x.jsonl', 'first']],
  ])('exits with 2 when called as %j', async (args) => {
    const { code, stderr } = await strata(...args);
    expect(code).toBe(2);
    expect(stderr).not.toBe('');
  });

  it('exits with 2 when called wrongly, and compacts, in a process of its own', async () => {
    expect(await strataAlone(['nonsense'])).toMatchObject({ code: 2, stdout: '', stderr: expect.stringMatching(/./) });
    const alone = await strataAlone(['compact', longSample(), '--json']);
    expect(jsonOf(alone).blocks.length).toBeGreaterThan(0);
    expect((await strataAlone(['undo', longSample()])).code).toBe(0);
  });

  it('lists the sessions that are asked for', async () => {
    const home = await homeWith({
      '.pi/agent/sessions/--scratch--/one.jsonl': 'pi-0.87/after-compaction.jsonl',
      '.claude/projects/-scratch/two.jsonl': 'claude-code-2.1.330/before-compaction.jsonl',
    });
    const listed = async (...filters: string[]) => {
      const { stdout } = await strataAlone(['sessions', '--json', ...filters], home);
      return JSON.parse(stdout).sessions.map(({ agent }: { agent: string }) => agent);
    };
    expect((await listed()).sort()).toEqual(['claude-code', 'pi']);
    expect(await listed('--agent', 'pi')).toEqual(['pi']);
    expect(await listed('--title', 'MY NAMED')).toEqual(['pi']);
    expect((await listed('--folder', '/home/ada')).sort()).toEqual(['claude-code', 'pi']);
    expect(await listed('--folder', '/home/adam')).toEqual([]);
    expect(await listed('--live')).toEqual([]);
    expect((await strataAlone(['sessions', '--agent', 'pi'], home)).stdout).toContain('My named session');
    expect((await strataAlone(['sessions', '--live'], home)).stdout).toBe('No session matches.\n');
  });

  it('follows a session that grows, each entry once, until it is interrupted', async () => {
    const file = join(folder, 'followed.jsonl');
    await copyFile(join(root, 'test/fixtures/pi-0.87/before-compaction.jsonl'), file);
    const child = spawn(process.execPath, [program, 'follow', file]);
    const seen: { kind: string; id?: string; text?: string }[] = [];
    let rest = '';
    let wake = (): void => undefined;
    child.stdout.on('data', (chunk) => {
      const lines = `${rest}${chunk}`.split('\n');
      rest = lines.pop() ?? '';
      seen.push(...lines.map((line) => JSON.parse(line)));
      wake();
    });
    const until = async (holds: () => boolean): Promise<void> => {
      while (!holds()) await new Promise<void>((done) => (wake = done));
    };
    const ended = new Promise((done) => child.on('close', done));
    await until(() => seen.some(({ kind }) => kind === 'entry'));
    const before = await json('inspect', file, '--json');
    await until(() => seen.filter(({ kind }) => kind === 'entry').length === before.entries.length);
    const parentId = before.entries.at(-1).id;
    const record = { type: 'message', id: 'new', parentId, timestamp: '2026-11-22T00:00:00Z' };
    const line = `${JSON.stringify({ ...record, message: { role: 'user', content: 'What is new?' } })}\n`;
    await appendFile(file, line.slice(0, 50));
    await appendFile(file, line.slice(50));
    await until(() => seen.some(({ text }) => text === 'What is new?'));
    child.kill('SIGINT');
    expect(await ended).toBe(0);
    const ids = seen.filter(({ kind }) => kind === 'entry').map(({ id }) => id);
    expect(ids).toEqual([...before.entries.map(({ id }: { id: string }) => id), 'new']);
    expect(seen[0]).toMatchObject({ kind: 'session', agent: 'pi' });
  });

  it('checks a broken session line by line, and writes a whole one', async () => {
    const file = join(folder, 'broken', 'session.jsonl');
    await mkdir(dirname(file));
    const sound = (await readFile(resolve(root, 'test/fixtures/pi-0.87/before-compaction.jsonl'), 'utf8'))
      .trimEnd()
      .split('\n');
    const broken = [...sound.slice(0, 6), `${sound[6]?.slice(0, 60)}${sound[7]}`, ...sound.slice(8)];
    await writeFile(file, `${broken.join('\n')}\n`);
    const checked = await strata('check', file);
    expect(checked).toMatchObject({ code: 1, stderr: expect.stringContaining('has 2 issues') });
    expect(checked.stdout).toContain(`${file}:7: A record was cut off in this line`);
    expect(checked.stdout).toContain(`strata fork --mend ${file}`);
    const fork = await json('fork', '--mend', file, '--json');
    expect(await strata('check', fork.file)).toMatchObject({ code: 0 });
    // Without the lost record, pi sends nothing that came before it.
    const [whole, cut] = [await strata('context', fork.file), await strata('context', file)];
    expect(whole.stdout.length).toBeGreaterThan(cut.stdout.length);
    expect(await strata('fork', file, '--mend', '--before-turn', '1')).toMatchObject({ code: 2 });
  });

  it('forks a session with its compaction, branches from a turn, and says how to continue', async () => {
    const home = await homeWith({ 'project/one.jsonl': 'pi-0.87/before-compaction.jsonl' });
    const file = join(home.HOME ?? '', 'project/one.jsonl');
    const untouched = await hash(file);
    await json('compact', file, '--strategy', 'naive', '--set', 'keepRecentTokens=200', '--json');
    const fork = await json('fork', file, '--json');
    expect(fork).toMatchObject({ agent: 'pi', cwd: '/home/ada/scratch', prompt: null });
    const forked = await strata('context', fork.file);
    expect(forked.stdout).toContain('[SUMMARIZED]');
    expect(forked.stdout.length).toBeLessThan((await strata('context', file)).stdout.length * 1.2);
    const branch = await json('fork', file, '--before-turn', '2', '--json');
    expect(branch.prompt).toContain('Second turn');
    expect((await json('inspect', branch.file, '--json')).context.messages.at(-1).role).toBe('assistant');
    const told = await strata('fork', file);
    expect(told.stdout).toMatch(/Resume it with: cd \/home\/ada\/scratch && pi /);
    expect(await strata('fork', file, '--before-turn', '99')).toMatchObject({ code: 2 });
    expect(await strata('fork', file, '--in-place', '--before-turn', '2')).toMatchObject({ code: 2 });
    expect(await hash(file)).toBe(untouched);
    const refused = await strata('fork', file, '--in-place');
    expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('Close it first') });
    expect(await hash(file)).toBe(untouched);
    expect((await strata('fork', file, '--in-place', '--closed')).code).toBe(0);
    expect((await readFile(file, 'utf8')).split('\n').length).toBeGreaterThan(20);
    expect(await hash(file)).not.toBe(untouched);
  });

  it('shows its help with 0', async () => {
    expect(await strataAlone(['--help'])).toMatchObject({ code: 0, stderr: '' });
  });
});

/** A new home with these fixtures, by their paths in it. */
async function homeWith(files: Readonly<Record<string, string>>): Promise<NodeJS.ProcessEnv> {
  const home = await mkdtemp(join(folder, 'home-'));
  for (const [path, fixture] of Object.entries(files)) {
    await mkdir(dirname(join(home, path)), { recursive: true });
    await copyFile(join(root, 'test/fixtures', fixture), join(home, path));
  }
  return { PATH: process.env.PATH, HOME: home };
}

function byStrata({ by }: { by: string }): boolean {
  return by === 'strata';
}

/** A session of pi with one prompt and this many calls with long results. */
function onePromptSession(steps: number): string {
  const text = (value: string) => [{ type: 'text', text: value }];
  const messages = Array.from({ length: steps }, (_, step) => [
    {
      role: 'assistant',
      content: [{ type: 'toolCall', id: `call-${step}`, name: 'read', arguments: { path: `src/part-${step}.ts` } }],
    },
    {
      role: 'toolResult',
      toolCallId: `call-${step}`,
      toolName: 'read',
      content: text(
        Array.from({ length: 130 }, (_, at) => `export const value${at} = part${step}(${at * 7});`).join('\n'),
      ),
    },
  ]).flat();
  const prompt = { role: 'user', content: text('Port the parser.') };
  const timestamp = '2026-01-01T00:00:00.000Z';
  const lines = [prompt, ...messages].map((message) => ({ type: 'message', timestamp, message }));
  return [{ type: 'session', id: 'one-prompt', timestamp, cwd: '/work' }, ...lines]
    .map((line) => `${JSON.stringify(line)}\n`)
    .join('');
}
