import { execFile, spawn } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { buildTimeoutMs, built } from '../builders/built';

/** Tests that `strata compact` asks once who writes, on a terminal. */

const session = resolve(import.meta.dirname, '../fixtures/pi-0.73/before-compaction.jsonl');
let folder: string;
let home: string;
let strata: string;

beforeAll(async () => {
  strata = join(await built('cli'), 'cli/strata.js');
  folder = await mkdtemp(join(tmpdir(), 'strata-question-'));
}, buildTimeoutMs);

beforeEach(async () => {
  home = await mkdtemp(join(folder, 'home-'));
  await mkdir(join(home, 'bin'));
  await program('pi', 'The cause is in the screen: it is cleared before each frame.');
});

afterAll(() => rm(folder, { recursive: true, force: true }));

/** Writes a program with this name that answers every heading of the prompt with the text. */
async function program(name: string, text: string): Promise<void> {
  const file = join(home, 'bin', name);
  const lines = `
let input = '';
process.stdin.on('data', (piece) => (input += piece)).on('end', () => {
  const headings = [...new Set(input.match(/^## .*$/gm))];
  console.log(headings.map((heading) => heading + '\\n' + ${JSON.stringify(text)}).join('\\n'));
});`;
  await writeFile(file, `#!${process.execPath}\n${lines}\n`);
  await chmod(file, 0o755);
}

const words = ['compact', session, '--strategy', 'checkpoint', '--dry-run'];
const small = ['--set', 'keepRecentTokens=100', '--set', 'reserveTokens=1000'];

function environment(): NodeJS.ProcessEnv {
  // The search path has no other agent's program.
  return { HOME: home, PATH: [join(home, 'bin'), dirname('/bin/sh')].join(':'), TERM: 'dumb' };
}

/** Runs on a terminal. Each answer is entered once the text before it is on the screen. */
async function onTerminal(
  answers: readonly (readonly [after: string, line: string])[],
  ...options: readonly string[]
): Promise<string> {
  const line = [process.execPath, strata, '--journal', join(home, 'journals'), ...words, ...small, ...options];
  const child = spawn('script', ['-qec', line.map((word) => `'${word}'`).join(' '), '/dev/null'], {
    env: environment(),
  });
  let screen = '';
  const left = [...answers];
  child.stdout.on('data', (piece) => {
    screen += String(piece).replaceAll('\r', '');
    const [next] = left;
    if (next === undefined || !screen.includes(next[0])) return;
    left.shift();
    child.stdin.write(`${next[1]}\n`);
  });
  await new Promise((done) => child.once('close', done));
  return screen;
}

async function remembered(): Promise<unknown> {
  const file = join(home, '.local/share/strata/agents/writer.json');
  return await readFile(file, 'utf8').then(JSON.parse, () => null);
}

const question = 'Who writes the summaries?';

describe('strata compact on a terminal', () => {
  it("asks who writes, offers the session's own agent first, and asks once", async () => {
    const first = await onTerminal([['Enter for 1: ', '']]);
    expect(first).toContain(question);
    expect(first).toContain('1  pi (pi -p)');
    expect(first).toMatch(/a compaction: up to [\d.]+k tokens read, about [\d.]+k? written, uses your sign-in/);
    expect(first).toContain('the provider of pi, which has this session already');
    expect(first).toMatch(/written by pi -p with \d+ \+ \d+ tokens/);
    expect(await remembered()).toMatchObject({ kind: 'command', agent: 'pi' });
    const second = await onTerminal([]);
    expect(second).not.toContain(question);
    expect(second).toMatch(/written by pi -p/);
  });

  it('remembers that no model writes', async () => {
    const screen = await onTerminal([['Enter for 1: ', '3']]);
    expect(screen).toContain('3  No model');
    expect(screen).toContain('written without a model');
    expect(await remembered()).toEqual({ kind: 'nobody' });
    expect(await onTerminal([])).toContain('written without a model');
  });

  it('takes a server, and asks for an address until there is one', async () => {
    const screen = await onTerminal([
      ['Enter for 1: ', '9'],
      ['There is no answer "9".\n', '2'],
      ['Base URL, with /v1: ', 'nowhere'],
      ['not an http or https address.\n', 'http://127.0.0.1:9/v1'],
      ['Model: ', 'small'],
    ]);
    expect(await remembered(), screen).toMatchObject({
      kind: 'openai',
      baseUrl: 'http://127.0.0.1:9/v1',
      model: 'small',
    });
    expect(screen).toContain('could not be reached');
    expect(screen).toContain('written without a model');
  });

  it('does not ask if the options name the writer', async () => {
    expect(await onTerminal([], '--summarizer', 'none')).not.toContain(question);
    expect(await remembered()).toBeNull();
  });
});

it('strata compact without a terminal neither asks nor uses a model', async () => {
  await onTerminal([['Enter for 1: ', '']]);
  const options = { env: environment() };
  const args = [strata, '--journal', join(home, 'journals'), ...words, ...small];
  const said = await new Promise<string>((done) => {
    execFile(process.execPath, args, options, (_, stdout, stderr) => done(`${stdout}${stderr}`)).stdin?.end();
  });
  expect(said).not.toContain(question);
  expect(said).toContain('written without a model');
});
