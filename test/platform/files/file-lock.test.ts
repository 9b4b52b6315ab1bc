import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { build } from 'vite';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { withFreeLock, withLock } from '../../../extension/platform/files/file-lock';
import { holderIn, holderText, newToken, thisMachine } from '../../../extension/platform/files/lock-holder';
import { markMade, markText } from '../../../extension/platform/files/lock-mark';
import { temporaryFolders } from '../../sessions/temporary';

const temporary = temporaryFolders();

/** Milliseconds, well below the age at which a lock counts as abandoned. */
const soon = 5_000;

function goneProcess(): number {
  return spawnSync(process.execPath, ['--eval', '']).pid;
}

async function lockOf(holder: { machine?: string; process?: number }): Promise<string> {
  const path = join(temporary(), 'one.lock');
  await markMade(path, holderText({ machine: await thisMachine(), process: process.pid, token: 'theirs', ...holder }));
  return path;
}

/** Whether the process waits for the lock as long as it exists, and then takes it. */
async function isWaitedFor(path: string): Promise<boolean> {
  let isTaken = false;
  const taken = withLock(path, async () => {
    isTaken = true;
  });
  await delay(150);
  const hadToWait = !isTaken;
  rmSync(path, { force: true });
  await taken;
  return hadToWait;
}

describe('a lock on a file', () => {
  const marks = { link: markMade, file: writeFile };

  it.each(['link', 'file'] as const)(
    'is taken over at once from a process of this machine that has ended, as a %s',
    async (kind) => {
      const path = join(temporary(), 'one.lock');
      const holder = { machine: await thisMachine(), process: goneProcess(), token: 'theirs' };
      await marks[kind](path, holderText(holder));
      const held = await withLock(path, async () => holderIn((await markText(path)) ?? ''));
      expect(held).toMatchObject({ machine: await thisMachine(), process: process.pid });
      expect(readdirSync(join(path, '..'))).toEqual([]);
    },
    soon,
  );

  it('a lock on a file is a link that the disk has without a block for its text', async () => {
    const largestProcessNumber = 4_194_304;
    const text = holderText({ machine: await thisMachine(), process: largestProcessNumber, token: newToken() });
    expect(Buffer.byteLength(text)).toBeLessThan(60);
    expect(holderIn(text)).toEqual({
      machine: await thisMachine(),
      process: largestProcessNumber,
      token: text.slice(-10, -2),
    });
  });

  it('a lock on a file is waited for while the process that holds it is running', async () => {
    expect(await isWaitedFor(await lockOf({ process: process.ppid }))).toBe(true);
  });

  it('a lock on a file is waited for if the process that holds it may be on another machine', async () => {
    expect(await isWaitedFor(await lockOf({ machine: 'elsewhere', process: goneProcess() }))).toBe(true);
  });

  it.each(['', 'somebody', '{"machine":"here","process":-1,"token":"x"}', '[]', 'null'])(
    'is waited for if its owner is unknown: %o',
    async (text) => {
      const path = join(temporary(), 'one.lock');
      writeFileSync(path, text);
      expect(await isWaitedFor(path)).toBe(true);
    },
  );

  it('a lock on a file is given in this process in the order in which it was asked for, whatever becomes of the work', async () => {
    const path = join(temporary(), 'one.lock');
    const order: number[] = [];
    let inside = 0;
    const asked = Array.from({ length: 30 }, (_, at) =>
      withLock(at % 2 === 0 ? path : join(path, '..', '.', 'one.lock'), async (stillOurs) => {
        inside += 1;
        expect({ inside, isOurs: await stillOurs() }).toEqual({ inside: 1, isOurs: true });
        await delay(at % 3);
        inside -= 1;
        order.push(at);
        if (at % 5 === 0) throw new Error('changed my mind');
      }),
    );
    const outcomes = await Promise.allSettled(asked);
    expect(outcomes.filter(({ status }) => status === 'rejected')).toHaveLength(6);
    expect(order).toEqual(asked.map((_, at) => at));
    expect(readdirSync(join(path, '..'))).toEqual([]);
  });
});

describe.skipIf(process.platform === 'win32')('a lock for work on this thread', () => {
  /** The work takes so long that another process may take the lock over. */
  async function afterLongWork(path: string, work: () => void): Promise<string[]> {
    await thisMachine();
    vi.useFakeTimers({ toFake: ['performance'] });
    try {
      withFreeLock(path, () => {
        vi.advanceTimersByTime(60_000);
        work();
      });
    } finally {
      vi.useRealTimers();
    }
    return readdirSync(join(path, '..'));
  }

  it('is free again after work that took long', async () => {
    expect(await afterLongWork(join(temporary(), 'one.lock'), () => undefined)).toEqual([]);
  });

  it('stays with the process that took it over meanwhile', async () => {
    const path = join(temporary(), 'one.lock');
    const takenOver = () => {
      rmSync(path);
      symlinkSync('theirs', path);
    };
    expect(await afterLongWork(path, takenOver)).toEqual(['one.lock']);
    expect(readlinkSync(path)).toBe('theirs');
  });
});

describe('processes that append to one file', () => {
  const folder = mkdtempSync(join(tmpdir(), 'strata-appending-'));
  const program = join(folder, 'appending.mjs');

  beforeAll(async () => {
    const entry = resolve(import.meta.dirname, 'appending.ts');
    const lib = { entry, formats: ['es' as const], fileName: () => 'appending.mjs' };
    const external = [/^node:/];
    await build({
      configFile: false,
      logLevel: 'error',
      publicDir: false,
      build: { lib, outDir: folder, minify: false, target: 'node22', rolldownOptions: { external } },
    });
  }, 60_000);

  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  function appending(path: string, name: string, count: number): ChildProcess {
    const child = spawn(process.execPath, [program, path, name, String(count)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    onTestFinished(() => void child.kill('SIGKILL'));
    return child;
  }

  async function ended(child: ChildProcess): Promise<number | null> {
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
    return child.exitCode;
  }

  function numbered(path: string): { readonly numbers: number[]; readonly names: string[] } {
    const lines = readFileSync(path, 'utf8').split('\n').slice(0, -1);
    const names = lines.map((line) => /^\d+ (?:(a)+|(b)+|(c)+)$/.exec(line)?.slice(1).join('') ?? 'mixed');
    return { numbers: lines.map((line) => Number.parseInt(line, 10)), names };
  }

  it('neither lose a line nor mix two', async () => {
    const path = join(temporary(), 'lines');
    const children = ['a', 'b'].map((name) => appending(path, name, 100));
    expect(await Promise.all(children.map(ended))).toEqual([0, 0]);
    const { numbers, names } = numbered(path);
    expect(numbers).toEqual(Array.from({ length: 200 }, (_, at) => at + 1));
    expect([...names].sort().join('')).toBe('a'.repeat(100) + 'b'.repeat(100));
  });

  it('processes that append to one file continue at once after others are killed, however often', async () => {
    const path = join(temporary(), 'lines');
    const children = ['a', 'b'].map((name) => appending(path, name, 150));
    for (let killed = 0; killed < 8; killed += 1) {
      const child = appending(path, 'c', 100_000);
      await once(child.stdout as NodeJS.ReadableStream, 'data');
      child.kill('SIGKILL');
      await ended(child);
    }
    expect(await Promise.all(children.map(ended))).toEqual([0, 0]);
    const { numbers, names } = numbered(path);
    expect(numbers).toEqual(numbers.map((_, at) => at + 1));
    expect(names.filter((name) => name !== 'c')).toHaveLength(300);
    expect(names).not.toContain('mixed');
  }, 9_000);
});
