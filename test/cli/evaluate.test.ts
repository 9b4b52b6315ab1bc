import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildTimeoutMs, built } from '../builders/built';
import { smallTaskFile } from '../builders/evaluation-task';
import { plainEncoder } from '../builders/plain-encoder';
import { says, startModelServer } from '../builders/scripted-model-server';

/** Tests of `strata evaluate` as a person runs it: the built program, with its threads, in a process of its own. */

const root = resolve(import.meta.dirname, '../..');
let folder: string;
let tasks: string;
let program: string;
let environment: NodeJS.ProcessEnv;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'strata-evaluate-'));
  program = join(await built('dashboard', 'cli'), 'cli/strata.js');
  environment = await plainEncoder(folder);
  tasks = join(folder, 'small-task.json');
  await writeFile(tasks, JSON.stringify(smallTaskFile()));
}, buildTimeoutMs);

afterAll(() => rm(folder, { recursive: true, force: true }));

interface Outcome {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

interface Stop {
  readonly signal: NodeJS.Signals;
  /** The process gets the signal when standard error contains this. */
  readonly at: RegExp;
}

function evaluate(args: readonly string[], stop?: Stop): Promise<Outcome> {
  return evaluateWith(program, args, stop);
}

function evaluateWith(strata: string, args: readonly string[], stop?: Stop): Promise<Outcome> {
  return new Promise((done, failed) => {
    const child = spawn(process.execPath, [strata, 'evaluate', ...args], { env: environment });
    const output = { stdout: '', stderr: '' };
    child.stdout.on('data', (chunk) => {
      output.stdout += chunk;
    });
    child.stderr.on('data', (chunk) => {
      output.stderr += chunk;
      if (!child.killed && stop?.at.test(output.stderr)) child.kill(stop.signal);
    });
    child.on('error', failed);
    child.on('close', (code) => done({ code, ...output }));
  });
}

const contenders = ['--contenders', 'no-compaction,truncation,checkpoint,checkpoint+pinned,pipeline,naive+proposed'];

function run(out: string, ...args: string[]): string[] {
  return [
    '--task-files',
    tasks,
    ...contenders,
    '--seeds',
    '2',
    '--every-turns',
    '10',
    '--out',
    join(folder, out),
    ...args,
  ];
}

/** The scores without durations. */
async function scores(out: string): Promise<string> {
  const lines = (await readFile(join(folder, out, 'scores.csv'), 'utf8')).split('\n');
  return lines.map((line) => line.slice(0, line.lastIndexOf(','))).join('\n');
}

/** An answer to all questions about a context. */
const point = {
  goal: 'Build a ramp.',
  constraints: [],
  settled: [],
  next: 'Cut boards.',
  acts: Array(2).fill({ choice: 'A', call: 'saw' }),
};

describe('strata evaluate', { timeout: 180_000 }, () => {
  it('writes results, report, scores and a dashboard that holds them', async () => {
    const { code, stdout, stderr } = await evaluate(run('whole'));
    expect({ code, stderr: stderr.includes('Error') }).toEqual({ code: 0, stderr: false });
    expect(stdout).toContain('| checkpoint+pinned | 100 [100, 100] (8) |');
    expect(stdout).toContain('information survival');
    expect(stdout).toContain('| recall of attacked constraints |');
    expect(stdout).not.toContain('rating of the next action');
    expect(stdout).toMatch(/^\| contender \| held \| kept \| held \/ kept \| beaten by \|$/m);
    expect((await readdir(join(folder, 'whole'))).sort()).toEqual([
      'dashboard.html',
      'report.md',
      'results.jsonl',
      'scores.csv',
    ]);
    expect((await scores('whole')).trim().split('\n')).toHaveLength(1 + 6 * 2 * 4);
    const page = await readFile(join(folder, 'whole/dashboard.html'), 'utf8');
    expect(page).toContain('id="strata-results"');
    expect(page).not.toMatch(/(?:src|href)="http/);
  });

  it('has the same numbers with the sentence encoder, whether units are played at once or one after the other', async () => {
    const strata = join(await built('embeddings', 'dashboard', 'cli'), 'cli/strata.js');
    for (const jobs of ['1', '2']) {
      const { code, stdout } = await evaluateWith(strata, run(`encoded-${jobs}`, '--jobs', jobs));
      expect(code).toBe(0);
      expect(stdout).toContain('| checkpoint+pinned | 100 [100, 100] (8) |');
    }
    expect(await scores('encoded-2')).toBe(await scores('encoded-1'));
    expect(await scores('encoded-1')).not.toBe(await scores('whole'));
  });

  it('continues a killed run to the same numbers', async () => {
    const killed = await evaluate(run('killed', '--jobs', '1'), { signal: 'SIGKILL', at: /[3-9] of 12/ });
    expect(killed.code).toBeNull();
    const before = (await readFile(join(folder, 'killed/results.jsonl'), 'utf8')).match(/"kind":"unit"/g)?.length ?? 0;
    expect(before).toBeGreaterThan(0);
    expect(before).toBeLessThan(12);
    const { code, stderr } = await evaluate(run('killed'));
    expect(code).toBe(0);
    expect(stderr).toMatch(new RegExp(`^(?:strata: .*\n)?${before} of 12`));
    expect(await scores('killed')).toBe(await scores('whole'));
  });

  it('that is interrupted says so, and what is written stays', async () => {
    const { code, stderr } = await evaluate(run('interrupted', '--jobs', '1'), { signal: 'SIGINT', at: /[1-9] of 12/ });
    expect(code).toBe(1);
    expect(stderr).toContain('strata: interrupted');
    expect(await readFile(join(folder, 'interrupted/results.jsonl'), 'utf8')).toMatch(/\}\n$/);
  });

  it('in shards and merged has the same numbers as the whole', async () => {
    for (const index of [1, 2, 3]) {
      expect((await evaluate(run(`shard-${index}`, '--shard', `${index}/3`))).code).toBe(0);
    }
    const files = [1, 2, 3].map((index) => join(folder, `shard-${index}/results.jsonl`));
    const merged = await evaluate(['merge', ...files, '--out', join(folder, 'merged')]);
    expect(merged.code).toBe(0);
    expect(await scores('merged')).toBe(await scores('whole'));
    const part = await evaluate(['merge', ...files.slice(0, 2), '--out', join(folder, 'part')]);
    expect(part.stderr).toContain('only 8 of 12 units present');
    expect(part.stdout).toContain('**incomplete');
  });

  it('refuses a malformed task, damaged results and other settings, each with its place', async () => {
    const bad = join(folder, 'bad-task.json');
    await writeFile(bad, JSON.stringify({ ...smallTaskFile(), constraints: [] }));
    const task = await evaluate(['--task-files', bad, '--out', join(folder, 'bad')]);
    expect([task.code, task.stderr]).toEqual([1, expect.stringMatching(/bad-task\.json, at constraints: /)]);
    const other = await evaluate(run('whole', '--window', '9000'));
    expect([other.code, other.stderr]).toEqual([
      1,
      expect.stringMatching(/results\.jsonl: .*other settings \(window\)/),
    ]);
    await writeFile(join(folder, 'damaged.jsonl'), 'not results\n');
    const damaged = await evaluate(['merge', join(folder, 'damaged.jsonl'), '--out', join(folder, 'bad')]);
    expect([damaged.code, damaged.stderr]).toEqual([1, expect.stringMatching(/damaged\.jsonl:1: .*not JSON/)]);
    for (const args of [
      ['--contenders', 'nobody'],
      ['--shard', '4/3'],
      ['--seeds', '0'],
      ['--tasks', 'none'],
      ['--judge'],
    ]) {
      expect((await evaluate(args)).code).toBe(2);
    }
  });

  it('prints the ratings of a judge, and refuses one that has nothing to rate', async () => {
    const answers = { ...point, rating: 4 };
    const server = await startModelServer(says(JSON.stringify(answers)));
    const model = ['--summarizer', 'openai', '--model', 'scripted', '--base-url', server.baseUrl, '--judge'];
    const judged = await evaluate([
      ...['--task-files', tasks, '--contenders', 'truncation', '--every-turns', '10', '--out', join(folder, 'judged')],
      ...[...model, '--respondent', 'model'],
    ]);
    server.close();
    expect([judged.code, judged.stdout]).toEqual([0, expect.stringContaining('| rating of the next action |')]);
    expect(judged.stdout).toMatch(/^\| truncation \|.* 4\.00 \[4\.00, 4\.00\] \(\d+\) \|/m);
    expect(judged.stdout).toContain('judge: scripted');
    const idle = await evaluate(model);
    expect([idle.code, idle.stderr]).toEqual([2, expect.stringContaining('--judge rates what a model proposes')]);
  });

  it('ends cleanly with its budget of tokens, and continues with another one', { timeout: 300_000 }, async () => {
    const server = await startModelServer(says(JSON.stringify(point)));
    const model = ['--summarizer', 'openai', '--model', 'scripted', '--base-url', server.baseUrl];
    const play = (...args: string[]) =>
      evaluate([
        ...['--task-files', tasks, '--contenders', 'truncation', '--seeds', '3', '--every-turns', '10'],
        ...['--out', join(folder, 'budget'), '--respondent', 'model', ...model, ...args],
      ]);
    const small = await play('--budget-tokens', '3000');
    expect([small.code, small.stderr]).toEqual([0, expect.stringContaining('within its first unit: 0 of 3 units')]);
    const earlier = server.asked.length;
    const first = await play('--budget-tokens', '16000');
    expect([first.code, first.stderr]).toEqual([0, expect.stringMatching(/the budget ended the run: [12] of 3 units/)]);
    expect(first.stdout).toContain('**incomplete');
    const spent = Number(/(\d+) tokens were spent of a budget of 16000/.exec(first.stderr)?.[1]);
    expect(spent).toBeLessThan(16_000 + 1_290);
    expect((server.asked.length - earlier) * 1_290).toBe(spent);
    const rest = await play('--budget-tokens', '4000000');
    server.close();
    expect([rest.code, rest.stderr]).toEqual([0, expect.not.stringContaining('ended the run')]);
    expect(rest.stdout).not.toContain('**incomplete');
    const unmetered = await evaluate(['--budget-tokens', '100']);
    expect([unmetered.code, unmetered.stderr]).toEqual([2, expect.stringContaining('none is chosen')]);
    const together = await play('--budget-tokens', '100', '--jobs', '2');
    expect([together.code, together.stderr]).toEqual([2, expect.stringContaining('one unit at a time')]);
  });

  it('replays real sessions, and leaves them alone', async () => {
    const sessions = join(root, 'test/fixtures/claude-code-2.1.330');
    const hash = async () =>
      createHash('sha256')
        .update(await readFile(join(sessions, 'after-compaction.jsonl')))
        .digest('hex');
    const before = await hash();
    const { code, stdout } = await evaluate(['--sessions', sessions, '--out', join(folder, 'replayed')]);
    expect(code).toBe(0);
    expect(stdout).toContain('| everything | 100 [100, 100]');
    const replay = JSON.parse(await readFile(join(folder, 'replayed/replay.json'), 'utf8'));
    expect(replay.boundaries.length).toBeGreaterThan(0);
    expect(await readFile(join(folder, 'replayed/dashboard.html'), 'utf8')).toContain('id="strata-replay"');
    expect(await hash()).toBe(before);
  });
});
