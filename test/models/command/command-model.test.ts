import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Completion, CompletionOptions } from '../../../extension/engine/block/language-model';
import { commandDefaults, commandModel } from '../../../extension/models/command/command-model';
import type { ModelCommand } from '../../../extension/models/command/model-command';
import { customCommand } from '../../../extension/models/command/presets';
import { program } from './programs';

const prompt = { system: 'You summarize.', user: 'SECRET words of the session' };

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'strata-command-test-'));
});

afterEach(async () => {
  await rm(folder, { recursive: true, force: true });
});

function ask(command: ModelCommand, options: Partial<CompletionOptions & { timeoutMs: number }> = {}) {
  const { timeoutMs = 30_000, ...wanted } = options;
  const model = commandModel({ ...commandDefaults, timeoutMs, command, model: null });
  return model.complete(prompt, { maxTokens: 500, signal: new AbortController().signal, ...wanted });
}

async function answerOf(lines: string): Promise<Completion> {
  return await ask(await program(folder, lines));
}

describe.skipIf(process.platform === 'win32')('a command as a model', () => {
  it('sends the prompt to standard input and takes standard output as the answer', async () => {
    const { text, isCut, tokens } = await answerOf("console.log('Answer: ' + input);");
    expect(text).toBe('Answer: You summarize.\n\nSECRET words of the session');
    expect(isCut).toBe(false);
    expect(tokens.input).toBeGreaterThan(0);
    expect(tokens.output).toBeGreaterThan(0);
  });

  it('runs in an empty folder, which is gone afterwards', async () => {
    const { text } = await answerOf(
      "const { readdirSync } = await import('node:fs'); console.log(process.cwd(), readdirSync('.').length);",
    );
    const [place = '', files] = text.split(' ');
    expect(files).toBe('0');
    await expect(readdir(place)).rejects.toThrow('ENOENT');
  });

  it('shows neither prompt nor a key of the environment in the list of processes', async () => {
    const { text } = await answerOf("console.log(readFileSync('/proc/self/cmdline', 'utf8'));");
    expect(text).toContain('program.mjs');
    expect(text).not.toContain('SECRET');
  });

  it('takes off colours, and spinners that wrote over their line', async () => {
    const { text } = await answerOf(
      String.raw`writeSync(1, '\x1b[2J\x1b[36m⠋ thinking\r⠙ thinking\r\x1b[1mThe \x1b[0manswer\x1b[32m.\x1b[0m\n');`,
    );
    expect(text).toBe('The answer.');
  });

  it('streams what the program writes', async () => {
    const seen: string[] = [];
    await ask(await program(folder, "writeSync(1, 'One'); setTimeout(() => writeSync(1, ' two'), 100);"), {
      onText: (text) => seen.push(text),
    });
    expect(seen).toEqual(['One', 'One two']);
  });

  it('passes a prompt that is larger than any pipe', async () => {
    const command = await program(folder, 'console.log(input.length);');
    const model = commandModel({ ...commandDefaults, command, model: null });
    const user = 'x'.repeat(5_000_000);
    const { text } = await model.complete(
      { system: '', user },
      { maxTokens: 50, signal: new AbortController().signal },
    );
    expect(text).toBe('5000003');
  });

  it('uses a named pipe if a program cannot read from a socket', async () => {
    const reads = await program(
      folder,
      "const { fstatSync } = await import('node:fs'); console.log(fstatSync(0).isFIFO(), input.length);",
    );
    const user = 'x'.repeat(300_000);
    const model = commandModel({ ...commandDefaults, command: { ...reads, input: 'named-pipe' }, model: null });
    const { text } = await model.complete(
      { system: '', user },
      { maxTokens: 50, signal: new AbortController().signal },
    );
    expect(text).toBe('true 300003');
  });

  it.each(['pipe', 'named-pipe'] as const)('gets along with a program that never reads its %s', async (input) => {
    const command = { ...customCommand(['/bin/echo', 'all fine']), input };
    const model = commandModel({ ...commandDefaults, command, model: null });
    const user = 'x'.repeat(1_000_000);
    const { text } = await model.complete(
      { system: '', user },
      { maxTokens: 50, signal: new AbortController().signal },
    );
    expect(text).toBe('all fine');
  });
});

describe.skipIf(process.platform === 'win32')('a command that does not answer', () => {
  it('says which program is missing', async () => {
    await expect(ask(customCommand(['no-such-program-here', '-x']))).rejects.toThrow(
      'The command `no-such-program-here -x` cannot run: there is no program `no-such-program-here` on this machine, or not on PATH.',
    );
  });

  it('ends one that hangs, with everything that it started, and quotes what it wrote last', async () => {
    const pids = join(folder, 'pids');
    const command = await program(
      folder,
      `
      const { writeFileSync } = await import('node:fs');
      const child = spawn('sleep', ['600'], { stdio: 'inherit' });
      writeFileSync(${JSON.stringify(pids)}, process.pid + ' ' + child.pid);
      process.on('SIGTERM', () => {});
      writeSync(2, 'Open https://example.org/device and enter the code ABCD\\n');
      setInterval(() => {}, 1000);`,
    );
    await expect(ask(command, { timeoutMs: 1500 })).rejects.toThrow(
      /took longer than 1\.5 s\. It last wrote: Open https:\/\/example\.org\/device and enter the code ABCD/,
    );
    for (const pid of (await readFile(pids, 'utf8')).split(' ')) {
      expect(() => process.kill(Number(pid), 0)).toThrow('ESRCH');
    }
  });

  it('ends when the caller calls it off', async () => {
    const abort = new AbortController();
    const running = ask(await program(folder, 'setInterval(() => {}, 1000);'), { signal: abort.signal });
    setTimeout(() => abort.abort(new Error('enough')), 300);
    await expect(running).rejects.toThrow('enough');
  });

  it('asks a person to sign in if the program requires it', async () => {
    const command = await program(folder, "writeSync(2, 'Error: not logged in · Run /login\\n'); process.exit(1);");
    await expect(ask(command)).rejects.toThrow(
      /is not signed in: Error: not logged in · Run \/login\. Run `.*program\.mjs` in a terminal/,
    );
  });

  it('says that a program wants a terminal', async () => {
    const command = await program(
      folder,
      "writeSync(2, 'error: interactive mode requires a TTY\\n'); process.exit(1);",
    );
    await expect(ask(command)).rejects.toThrow(
      'needs a terminal, but Strata runs it without one: error: interactive mode requires a TTY.',
    );
  });

  it('gives no terminal to a program that opens one', async () => {
    const command = await program(
      folder,
      "const { openSync } = await import('node:fs'); try { openSync('/dev/tty', 'r+'); console.log('got one'); } catch (error) { console.error(String(error)); process.exit(2); }",
    );
    await expect(ask(command)).rejects.toThrow('needs a terminal');
  });

  it('quotes the last line of a program that failed', async () => {
    const command = await program(folder, "writeSync(2, 'Warning: old\\nError: quota exceeded\\n'); process.exit(3);");
    await expect(ask(command)).rejects.toThrow(/failed with status 3: Error: quota exceeded\./);
  });

  it('says by which signal a program was killed', async () => {
    await expect(ask(await program(folder, "process.kill(process.pid, 'SIGKILL');"))).rejects.toThrow(
      /was ended by SIGKILL\./,
    );
  });

  it('says that a program ended without an answer', async () => {
    await expect(ask(await program(folder, 'process.exit(0);'))).rejects.toThrow(
      /ended without an answer\. Run it in a terminal to see why\./,
    );
  });

  it('stops a program that writes without end, and cuts its answer', async () => {
    const { text, isCut } = await answerOf(
      "const line = 'again and again\\n'.repeat(4096); for (;;) writeSync(1, line);",
    );
    expect(isCut).toBe(true);
    expect(text.length).toBeLessThan(200_000);
  });

  it('stops a program whose report has no end', async () => {
    const endless = await program(
      folder,
      'const line = \'{"type":"x"}\\n\'.repeat(8192); for (;;) writeSync(1, line);',
    );
    await expect(
      ask({ ...endless, output: 'json', answerOf: () => ({ text: 'x', usage: null, problem: null }) }),
    ).rejects.toThrow(/was ended because it wrote more than 32 MB\./);
  });

  it('does not wait for a child that keeps the output open', async () => {
    const { text } = await answerOf(
      "spawn('sleep', ['600'], { stdio: 'inherit', detached: true }).unref(); console.log('done'); process.exit(0);",
    );
    expect(text).toBe('done');
  });
});
