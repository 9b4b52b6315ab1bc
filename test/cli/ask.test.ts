import { spawn } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { buildTimeoutMs, built } from '../builders/built';

/** Tests of `strata ask` as a person runs it: the built program, with a program on this machine as the model. */

const session = resolve(import.meta.dirname, '../fixtures/pi-v1/until-after-first-compaction.jsonl');
let folder: string;
let journal: string;
let strata: string;

beforeAll(async () => {
  strata = join(await built('cli'), 'cli/strata.js');
  folder = await mkdtemp(join(tmpdir(), 'strata-ask-'));
}, buildTimeoutMs);

beforeEach(async () => {
  journal = await mkdtemp(join(folder, 'journal-'));
});

afterAll(() => rm(folder, { recursive: true, force: true }));

interface Outcome {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

function run(...args: string[]): Promise<Outcome> {
  return new Promise((done, failed) => {
    const child = spawn(process.execPath, [strata, '--journal', journal, ...args], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
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

/** A command whose answer these lines make from `input`, the prompt. */
async function command(lines: string): Promise<string> {
  const file = join(journal, 'model.mjs');
  await writeFile(file, `import { readFileSync } from 'node:fs';\nconst input = readFileSync(0, 'utf8');\n${lines}\n`);
  return `"${process.execPath}" "${file}"`;
}

const knowing = `
const short = input.includes('[SUMMARIZED]') || input.includes('[CLEARED]') || input.includes('[SUPERSEDED]');
const question = input.slice(-600);
if (question.includes('current goal')) console.log('{"goal": "render the overlay"}');
else if (question.includes('What constraints')) console.log('{"constraints": []}');
else console.log(short ? 'I run the tests of the overlay.' : 'I run the tests of the renderer.');`;

const asked = ['--model-window', '400000', '--strategy', 'tool-calls', '--yes'];

describe('strata ask', { timeout: 120_000 }, () => {
  it('prints the answers with both contexts and marks the words that differ', async () => {
    const model = ['--command', await command(knowing)];
    const { code, stdout, stderr } = await run('ask', session, ...model, ...asked);
    expect([code, stderr]).toEqual([0, expect.stringMatching(/before and after tool-calls.*\d+ → \d+ tokens/)]);
    expect(stderr).toMatch(/6 calls of .*: about \d+ tokens in, at most 4800 out/);
    expect(stdout).toContain('I run the tests of the [-renderer-]{+overlay+}.');
    expect(stdout).toContain('# In one sentence, what is your current goal?');
    expect(stdout).toContain('Differences: none');
    expect((await readdir(journal)).filter((name) => name !== 'model.mjs')).toEqual([]);
  });

  it('compares the context without and with the compactions of the journal', async () => {
    const model = ['--command', await command(knowing)];
    await run('compact', session, '--strategy', 'tool-calls');
    const own = ['--no-standard', '--question', 'What next?', '--json'];
    const { code, stdout, stderr } = await run('ask', session, ...model, '--model-window', '400000', '--yes', ...own);
    expect([code, stderr]).toEqual([0, expect.stringContaining('without and with 1 compaction of the journal')]);
    const { questions, tokensBefore, tokensAfter } = JSON.parse(stdout);
    expect(tokensAfter).toBeLessThan(tokensBefore);
    expect(questions).toMatchObject([
      {
        question: 'What next?',
        before: { kind: 'given', text: 'I run the tests of the renderer.' },
        after: { kind: 'given', text: 'I run the tests of the overlay.' },
      },
    ]);
  });

  it('asks nothing without a yes, a model or a question, and starts no program for it', async () => {
    const witness = join(journal, 'started');
    const model = [
      '--command',
      await command(`(await import('node:fs')).writeFileSync(${JSON.stringify(witness)}, '');`),
    ];
    const unconfirmed = await run('ask', session, ...model, '--strategy', 'tool-calls');
    expect([unconfirmed.code, unconfirmed.stderr]).toEqual([2, expect.stringContaining('confirm with --yes')]);
    const dry = await run('ask', session, ...model, ...asked, '--dry-run');
    expect([dry.code, dry.stderr]).toEqual([0, expect.stringContaining('6 calls')]);
    const none = await run('ask', session, '--yes');
    expect([none.code, none.stderr]).toEqual([2, expect.stringContaining('choose the model: --command')]);
    const many = ['a', 'b', 'c'].flatMap((question) => ['--question', question]);
    const crowded = await run('ask', session, ...model, '--yes', ...many);
    expect([crowded.code, crowded.stderr]).toEqual([2, expect.stringContaining('up to 5 questions')]);
    await expect(readFile(witness)).rejects.toThrow('ENOENT');
  });

  it('says which call failed, and exits with 1 if nothing was answered', async () => {
    const model = ['--command', await command("console.error('Please sign in.'); process.exit(3);")];
    const { code, stdout, stderr } = await run('ask', session, ...model, ...asked);
    expect([code, stderr]).toEqual([1, expect.stringContaining('no question was answered')]);
    expect(stdout).toMatch(/\(no answer: .*(?:sign|exit)/i);
  });

  it('names the window that a context does not fit, and asks about the other', async () => {
    const model = ['--command', await command(knowing), '--model-window', '40000', '--yes'];
    const { stdout } = await run(
      'ask',
      session,
      ...model,
      '--strategy',
      'checkpoint',
      '--no-standard',
      '--question',
      'x?',
    );
    expect(stdout).toMatch(/no answer: this context has about \d+ tokens, and the model takes prompts of 24000/);
  });
});
