import { type ChildProcess, spawn } from 'node:child_process';
import type { Command } from './agent';

export interface Ran {
  /** Null if a signal ended the process. */
  readonly code: number | null;
  readonly output: string;
}

export interface RunPlace {
  readonly program: string;
  readonly folder: string;
  readonly variables: Readonly<Record<string, string>>;
}

const patience = 120_000;

/** Runs an agent to its end. If it does not end in time, it is killed with all processes that it started. */
export async function run({ words, input }: Command, { program, folder, variables }: RunPlace): Promise<Ran> {
  const child = spawn(program, words, { cwd: folder, env: variables, detached: true });
  let output = '';
  const hear = (chunk: Buffer) => {
    output += chunk.toString();
    if (input?.until?.test(output)) child.stdin.end();
  };
  child.stdout.on('data', hear);
  child.stderr.on('data', hear);
  // The agent may end before it reads its input.
  child.stdin.on('error', () => undefined);
  child.stdin.write(input?.text ?? '');
  if (input?.until === undefined) child.stdin.end();
  const timer = setTimeout(() => killGroup(child), patience);
  const code = await ended(child);
  clearTimeout(timer);
  return { code, output };
}

function ended(child: ChildProcess): Promise<number | null> {
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', resolve);
  });
}

function killGroup({ pid }: ChildProcess): void {
  if (pid !== undefined) process.kill(-pid, 'SIGKILL');
}
