import { type ChildProcess, execFile } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { promisify } from 'node:util';
import spawn from 'cross-spawn';
import type { Workplace } from './workplace';

/** One run of a program. */
interface ProgramRun {
  readonly program: string;
  readonly args: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  readonly place: Workplace;
  readonly text: string;
  readonly input: 'pipe' | 'named-pipe';
  /** Ends the program and everything that it started. */
  readonly signal: AbortSignal;
  /** Called with new text of standard output. If it returns true, there is enough and the program is ended. */
  readonly onOutput: (text: string) => boolean;
  /** Called with new text of standard error. */
  readonly onComplaint: (text: string) => void;
}

export interface ProgramEnd {
  /** Null if a signal ended it. */
  readonly status: number | null;
  readonly killedBy: NodeJS.Signals | null;
}

/**
 * Runs a program without a shell and without a terminal, in its own process group. Resolves when it has ended. Rejects
 * if it cannot be started.
 */
export async function runProgram(run: ProgramRun): Promise<ProgramEnd> {
  const entrance = await Entrance.open(run);
  const child = spawn(run.program, [...run.args], {
    cwd: run.place.folder,
    env: environmentOf(run.environment),
    stdio: [entrance.stdin, 'pipe', 'pipe'],
    detached: process.platform !== 'win32',
    windowsHide: true,
  });
  const ended = endOf(child);
  let isStopped = false;
  const stop = () => {
    if (!isStopped) void endTree(child);
    isStopped = true;
  };
  run.signal.addEventListener('abort', stop, { once: true });
  if (run.signal.aborted) stop();
  try {
    read(child.stdout, (text) => {
      if (run.onOutput(text)) stop();
    });
    read(child.stderr, run.onComplaint);
    const [end] = await Promise.all([ended, entrance.write(child.stdin, run.text)]);
    return end;
  } finally {
    run.signal.removeEventListener('abort', stop);
    await endTree(child);
    await entrance.close();
  }
}

/** Variables of the editor, or of an agent in which Strata runs, would change the program's behaviour. */
const notPassedOn = /^(?:ELECTRON_|VSCODE_|CLAUDECODE$|CLAUDE_CODE_(?:ENTRYPOINT|SSE_PORT)$|NODE_OPTIONS$)/;

function environmentOf(additional: Readonly<Record<string, string>>): NodeJS.ProcessEnv {
  const own = Object.entries(process.env).filter(([name]) => !notPassedOn.test(name));
  return { ...Object.fromEntries(own), NO_COLOR: '1', TERM: 'dumb', ...additional };
}

function read(stream: Readable | null, onText: (text: string) => void): void {
  stream?.setEncoding('utf8');
  stream?.on('data', onText);
}

/** Time for output that is still in transit after the program ended, in milliseconds. One of its children may hold the pipes open. */
const lastOutputMs = 1000;

function endOf(child: ChildProcess): Promise<ProgramEnd> {
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (status, killedBy) => resolve({ status, killedBy }));
    child.once('exit', (status, killedBy) => {
      setTimeout(() => resolve({ status, killedBy }), lastOutputMs).unref();
    });
  });
}

/** Time to shut down in order, in milliseconds. */
const graceMs = 2000;

/** Ends the program and what it started. */
async function endTree(child: ChildProcess): Promise<void> {
  const { pid } = child;
  if (pid === undefined) return;
  if (process.platform === 'win32') {
    // It may have ended in the meantime.
    if (child.exitCode === null)
      await promisify(execFile)('taskkill', ['/pid', `${pid}`, '/T', '/F']).catch(() => undefined);
    return;
  }
  if (!signalGroup(pid, 'SIGTERM')) return;
  setTimeout(() => signalGroup(pid, 'SIGKILL'), graceMs).unref();
}

/** False if no process of the group is left. */
function signalGroup(pid: number, signal: NodeJS.Signals): boolean {
  try {
    process.kill(-pid, signal);
    return true;
  } catch {
    return false;
  }
}

/** How the prompt enters the program. */
class Entrance {
  private constructor(
    readonly stdin: 'pipe' | number,
    private readonly reading: FileHandle | null,
    private readonly writing: FileHandle | null,
  ) {}

  static async open({ input, place }: ProgramRun): Promise<Entrance> {
    if (input === 'pipe' || process.platform === 'win32') return new Entrance('pipe', null, null);
    const path = join(place.home, 'prompt');
    await promisify(execFile)('mkfifo', ['-m', '600', path]);
    // Opening one end waits for the other.
    const [reading, writing] = await Promise.all([open(path, 'r'), open(path, 'w')]);
    return new Entrance(reading.fd, reading, writing);
  }

  /** A program may end without reading its input; its exit status says why. */
  async write(stdin: Writable | null, text: string): Promise<void> {
    const stream = this.writing ? createWriteStream('', { fd: this.writing, autoClose: true }) : stdin;
    // Once the program has the pipe, this end must not keep it open.
    await this.reading?.close();
    stream?.on('error', () => stream.destroy());
    stream?.end(text);
  }

  async close(): Promise<void> {
    await Promise.all([this.reading?.close(), this.writing?.close()]);
  }
}
