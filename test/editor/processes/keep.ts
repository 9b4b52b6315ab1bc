import { spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A program and all its children. They end with `stop()`, and in any case with this process. */
export interface KeptProcess {
  /** The exit code, or `undefined` while the program runs. */
  readonly exitCode: number | undefined;
  readonly exited: Promise<number>;
  stop(): Promise<void>;
}

export interface KeptProgram {
  readonly command: string;
  readonly arguments: readonly string[];
  readonly folder: string;
  readonly environment: NodeJS.ProcessEnv;
  /** Everything that the program prints is appended to this file. */
  readonly logFile: string;
}

/** Number of lines of a log that an error message quotes. */
const TAIL_LINES = 25;

export function keep(program: KeptProgram): KeptProcess {
  const keeper = startKeeper(program);
  const killGroup = () => killProcessGroup(keeper.pid);
  process.once('exit', killGroup);

  let exitCode: number | undefined;
  const exited = new Promise<number>((resolve, reject) => {
    keeper.once('error', reject);
    keeper.once('exit', (code) => {
      exitCode = code ?? 1;
      resolve(exitCode);
    });
  });

  return {
    get exitCode() {
      return exitCode;
    },
    exited,
    async stop() {
      killGroup();
      process.removeListener('exit', killGroup);
      await exited;
    },
  };
}

export function tailOf(logFile: string): string {
  return readFileSync(logFile, 'utf8').trimEnd().split('\n').slice(-TAIL_LINES).join('\n');
}

function startKeeper(program: KeptProgram) {
  const log = openSync(program.logFile, 'a');
  try {
    return spawn(process.execPath, [join(import.meta.dirname, 'keeper.ts'), program.command, ...program.arguments], {
      cwd: program.folder,
      env: program.environment,
      detached: true,
      stdio: ['pipe', log, log],
    });
  } finally {
    closeSync(log);
  }
}

function killProcessGroup(leader: number | undefined): void {
  if (leader === undefined) return;
  try {
    process.kill(-leader, 'SIGKILL');
  } catch (error) {
    if (!isNoSuchProcess(error)) throw error;
  }
}

/** The group has already ended, as intended. */
function isNoSuchProcess(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ESRCH';
}
