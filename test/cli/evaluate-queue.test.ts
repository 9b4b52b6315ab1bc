import { type ChildProcess, spawn } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type QueuedRun, RunQueue } from '../../extension/cli/evaluate/queue/run-queue';
import { defaultHeader, playerNames } from '../../extension/evaluation/default-run';
import { unitContent } from '../../extension/evaluation/measure/evaluation-results';
import { reader } from '../../extension/evaluation/measure/probes/reader';
import { unitKey } from '../../extension/evaluation/measure/results';
import { inOrderOfRun, unitsOf } from '../../extension/evaluation/measure/units';
import { loadResults } from '../../extension/evaluation/results-file';
import { toolsWithoutModel } from '../../extension/summarizers/without-model';
import { buildTimeoutMs, built } from '../builders/built';
import { smallTask, smallTaskFile } from '../builders/evaluation-task';
import { plainEncoder } from '../builders/plain-encoder';
import { says, startModelServer } from '../builders/scripted-model-server';
import { freePort, postgresBinaries, type RunningServer, startPostgres } from '../conversations/stores/servers';
import { fixtures } from '../sessions/samples';

/** Tests of evaluation runs on a queue, with a real PostgreSQL and workers that are processes of their own. */

let folder: string;
let tasks: string;
let program: string;
let environment: NodeJS.ProcessEnv;
let server: RunningServer;
/** The address of the queue, in a new database for each test. */
let queue: string;
let databases = 0;

class Running {
  stderr = '';
  stdout = '';
  readonly child: ChildProcess;
  readonly ended: Promise<number | null>;
  #changed: (() => void)[] = [];

  constructor(args: readonly string[]) {
    this.child = spawn(process.execPath, [program, 'evaluate', ...args], { env: environment });
    this.child.stdout?.on('data', (chunk) => {
      this.stdout += chunk;
    });
    this.child.stderr?.on('data', (chunk) => {
      this.stderr += chunk;
      for (const changed of this.#changed.splice(0)) changed();
    });
    this.ended = new Promise((resolve) => this.child.on('close', resolve));
  }

  async says(pattern: RegExp): Promise<void> {
    while (!pattern.test(this.stderr)) {
      const changed = new Promise<void>((resolve) => this.#changed.push(resolve));
      const ended = this.ended.then((code) => Promise.reject(new Error(`It ended with ${code}: ${this.stderr}`)));
      await Promise.race([changed, ended]);
    }
  }
}

const running: Running[] = [];

function start(...args: string[]): Running {
  const started = new Running(args);
  running.push(started);
  return started;
}

const work = (...args: string[]) => start('work', '--queue', queue, '--jobs', '1', ...args);

const chosen = ['--contenders', 'no-compaction,truncation,checkpoint,checkpoint+pinned,pipeline,naive+proposed'];

const run = (out: string, ...args: string[]) =>
  start('--task-files', tasks, ...chosen, '--seeds', '2', '--every-turns', '10', '--out', join(folder, out), ...args);

/** The results without durations: units in the order of the run, and texts of contexts. */
async function content(out: string): Promise<string> {
  const { header, units, texts } = await loadResults(join(folder, out, 'results.jsonl'));
  const lines = inOrderOfRun(units, header.settings).map(unitContent);
  return [JSON.stringify(header.settings), ...lines, ...[...texts].map((text) => JSON.stringify(text)).sort()].join(
    '\n',
  );
}

const report = (out: string) => readFile(join(folder, out, 'report.md'), 'utf8');

describe.skipIf(process.platform !== 'linux')('an evaluation on a queue', { timeout: 240_000 }, () => {
  beforeAll(async () => {
    if (postgresBinaries() === null) throw new Error('Install PostgreSQL: apt-get install postgresql.');
    folder = await mkdtemp(join(tmpdir(), 'strata-queue-'));
    program = join(await built('dashboard', 'cli'), 'cli/strata.js');
    environment = await plainEncoder(folder);
    tasks = join(folder, 'small-task.json');
    await writeFile(tasks, JSON.stringify(smallTaskFile()));
    server = await startPostgres();
  }, buildTimeoutMs);

  beforeEach(async () => {
    databases += 1;
    await asked(server.address, `CREATE DATABASE queue${databases}`);
    queue = server.address.replace('/postgres', `/queue${databases}`);
  });

  afterEach(async () => {
    for (const each of running.splice(0)) {
      each.child.kill('SIGKILL');
      await each.ended;
    }
  });

  afterAll(async () => {
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  });

  it('with four workers, of which one is killed within a unit, has the results of a run in a folder', async () => {
    const owner = run(`queued${databases}`, '--queue', queue);
    const lost = work();
    await lost.says(/takes units/);
    await stoppedWithinUnit(lost);
    const workers = [work(), work(), work()];
    await owner.says(/[1-9]\d* of 12/);
    lost.child.kill('SIGKILL');
    expect(await owner.ended, owner.stderr).toBe(0);
    workers[0]?.child.kill('SIGTERM');
    expect(await workers[0]?.ended).toBe(0);
    expect(workers[0]?.stderr).toMatch(/[1-9]\d* units played/);
    expect(await run('whole').ended).toBe(0);
    expect(await content(`queued${databases}`)).toBe(await content('whole'));
    expect(await report(`queued${databases}`)).toBe(await report('whole'));
  });

  it('of real sessions, with four workers of which one is killed, has the bytes of a replay in a folder', async () => {
    const sessions = join(folder, 'sessions');
    for (const agent of ['claude-code-2.1.330', 'codex-0.169', 'pi-0.87', 'gemini-cli-0.61', 'pi-v1'])
      await cp(join(fixtures, agent), join(sessions, agent), { recursive: true });
    const replayed = (out: string, ...args: string[]) =>
      start('--sessions', sessions, '--contenders', 'checkpoint,naive', '--out', join(folder, out), ...args);
    const owner = replayed('sessions-queued', '--queue', queue);
    const stranger = work('--sessions', join(folder, 'elsewhere'));
    await stranger.says(/is left to others: it has sessions such as .*; give their folder with --sessions/);
    const reading = () => work('--sessions', sessions);
    const lost = reading();
    await lost.says(/takes units/);
    await stoppedWithinUnit(lost);
    const workers = [reading(), reading(), reading()];
    await workers[0]?.says(/takes units/);
    lost.child.kill('SIGKILL');
    expect(await owner.ended, owner.stderr).toBe(0);
    expect(await replayed('sessions-whole').ended).toBe(0);
    expect(await replayed('sessions-queued', '--queue', queue).ended).toBe(0);
    const text = (out: string) => readFile(join(folder, out, 'replay.md'), 'utf8');
    expect(await text('sessions-queued')).toBe(await text('sessions-whole'));
    const boundaries = async (out: string) => JSON.parse(await readFile(join(folder, out, 'replay.json'), 'utf8'));
    const { time: _queued, ...queued } = await boundaries('sessions-queued');
    const { time: _whole, ...whole } = await boundaries('sessions-whole');
    expect(queued.boundaries.length).toBeGreaterThan(4);
    expect(queued).toEqual(whole);
  });

  it('says which sessions are other ones at a worker, and measures them when it is run again', async () => {
    const sessions = join(folder, 'changing');
    const file = join(sessions, 'session.jsonl');
    await mkdir(sessions);
    const text = await readFile(join(fixtures, 'pi-0.87', 'after-compaction.jsonl'), 'utf8');
    await writeFile(file, text);
    const replayed = () =>
      start('--sessions', sessions, '--contenders', 'checkpoint', '--queue', queue, '--out', join(folder, 'changed'));
    const owner = replayed();
    await owner.says(/sessions wait at/);
    await writeFile(file, text.split('\n').slice(0, 3).join('\n'));
    const worker = work('--sessions', sessions);
    expect(await owner.ended).toBe(1);
    expect(owner.stderr).toMatch(/session\.jsonl: the file is another one here \(on .+\)/);
    expect(owner.stderr).toContain('1 of 1 sessions were not measured; run the same command again');
    await writeFile(file, text);
    expect(await replayed().ended).toBe(0);
    worker.child.kill('SIGTERM');
    expect(await worker.ended, worker.stderr).toBe(0);
  });

  it('continues after the database was unavailable, and after its owner was killed', async () => {
    const way = await startWay(server.port);
    const address = queue.replace(`:${server.port}`, `:${way.port}`);
    const killed = run(`away${databases}`, '--queue', address);
    await killed.says(/units wait/);
    const worker = start('work', '--queue', address, '--jobs', '1', '--until-empty');
    await killed.says(/[1-9]\d* of 12/);
    killed.child.kill('SIGKILL');
    const owner = run(`away${databases}`, '--queue', address);
    await owner.says(/units wait/);
    way.close();
    await Promise.all([
      owner.says(/the queue at .* cannot be reached: /),
      worker.says(/the queue cannot be reached: /),
    ]);
    await way.open();
    expect(await owner.ended, owner.stderr).toBe(0);
    expect(await worker.ended, worker.stderr).toBe(0);
    way.close();
    expect(await content(`away${databases}`)).toBe(await content('whole'));
  });

  it('names the failed units and the reasons, and plays them when it is run again', async () => {
    const acts = Array(2).fill({ choice: 'A', call: 'saw boards' });
    const answers = { goal: 'Build a ramp.', constraints: [], settled: [], next: 'Saw boards.', acts };
    const state = { refuses: true };
    const models = await startModelServer((response, asked) => {
      if (state.refuses) response.writeHead(401).end('{"error":{"message":"no such key"}}');
      else says(JSON.stringify(answers))(response, asked);
    });
    const model = ['--summarizer', 'openai', '--model', 'scripted', '--base-url', models.baseUrl];
    const play = () => [
      ...['--task-files', tasks, '--contenders', 'truncation', '--seeds', '3', '--every-turns', '10', '--queue'],
      ...[queue, '--out', join(folder, `failing${databases}`), '--respondent', 'model', ...model],
    ];
    const owner = start(...play());
    const withoutModel = work();
    await withoutModel.says(/is left to others: it has another model \(respondent scripted, here reader/);
    const worker = work(...model);
    expect(await worker.ended).toBe(1);
    expect(worker.stderr).toMatch(/three units failed one after the other: .*no such key/);
    expect(await owner.ended, worker.stderr).toBe(1);
    expect(owner.stderr).toMatch(/small-task .*truncation.*\(on .+\)\n/);
    expect(owner.stderr).toContain('0 of 3 units were played; run the same command again for the rest');
    state.refuses = false;
    const again = start(...play());
    await again.says(/units wait/);
    const able = work(...model, '--until-empty');
    expect(await again.ended, again.stderr + able.stderr).toBe(0);
    models.close();
  });

  it('is left alone by a worker of another version, which says so', async () => {
    const opened = await RunQueue.open(queue, () => undefined);
    const header = defaultHeader({
      tasks: [smallTask()],
      players: playerNames({ writing: toolsWithoutModel, respondent: reader, judge: null }),
      madeWith: { strata: '9.9.9', node: process.version },
      time: '2026-01-01T00:00:00.000Z',
    });
    const other: QueuedRun = { kind: 'tasks', header, tasks: [smallTask()], keepsContexts: false };
    await opened.send(other, unitsOf(header.settings), unitKey);
    const worker = work('--until-empty');
    expect(await worker.ended).toBe(0);
    expect(worker.stderr).toMatch(/run of 2026-01-01T.* is left to others: it is of Strata 9\.9\.9, and this is /);
    expect(worker.stderr).toContain('0 units played');
    await opened.close();
  });

  it('refuses an address that is not a queue, and options that a queue cannot share', async () => {
    const nobody = `postgres://strata:hidden@127.0.0.1:${await freePort()}/postgres`;
    const missing = queue.replace(/queue\d+/, 'missing').replace('postgres:', 'postgresql:');
    const cases: [readonly string[], number, RegExp][] = [
      [['work'], 2, /work needs --queue/],
      [['work', '--queue', 'redis://127.0.0.1/0'], 2, /--queue needs the address of a Postgres database/],
      [['work', '--queue', 'postgres'], 2, /--queue needs the address of a Postgres database/],
      [
        ['work', '--queue', nobody],
        1,
        /the queue at postgres:\/\/127\.0\.0\.1:\d+\/postgres cannot be used: .*REFUSED/,
      ],
      [['--quick', '--queue', missing, '--out', join(folder, 'no')], 1, /cannot be used: database "missing" does not/],
      [['--queue', queue, '--shard', '1/2'], 2, /does not go with --shard/],
      [['--queue', queue, '--budget-tokens', '5'], 2, /does not go with --budget-tokens/],
    ];
    const outcomes = cases.map(async ([args, code, message]) => {
      const refused = start(...args);
      expect(await refused.ended).toBe(code);
      expect(refused.stderr).toMatch(message);
      expect(refused.stderr).not.toContain('hidden');
    });
    await Promise.all(outcomes);
  });
});

/** Stops the process while it plays a unit. */
async function stoppedWithinUnit({ child }: Running): Promise<void> {
  for (;;) {
    child.kill('SIGSTOP');
    if ((await asked(queue, `SELECT id FROM strata_evaluation.job WHERE state = 'active'`)).length > 0) return;
    child.kill('SIGCONT');
    await delay(20);
  }
}

async function asked(address: string, statement: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: address });
  await client.connect();
  return await client.query(statement).then(async ({ rows }) => {
    await client.end();
    return rows;
  });
}

/** A proxy that is the only way to a server. It can be closed and opened again. */
async function startWay(to: number) {
  const sockets = new Set<Socket>();
  const way = createServer((from) => {
    const onward = connect(to, '127.0.0.1');
    for (const [one, other] of [
      [from, onward],
      [onward, from],
    ] as const) {
      sockets.add(one);
      one.pipe(other).on('error', () => other.destroy());
      one.on('error', () => other.destroy());
      one.on('close', () => other.destroy());
    }
  });
  const listening = (port: number) => new Promise<void>((resolve) => way.listen(port, '127.0.0.1', resolve));
  await listening(0);
  const { port } = way.address() as AddressInfo;
  return {
    port,
    open: () => listening(port),
    close: () => {
      way.close();
      for (const socket of sockets) socket.destroy();
      sockets.clear();
    },
  };
}
