import { spawn } from 'node:child_process';
import type { AskedSession } from '../inside/find-session';

/** Runs `strata agent prepare` for a session in a process of its own, which goes on when this one has ended. */
export function prepareDetached(agent: string, { session, file }: AskedSession): void {
  const [program = '', ...given] = [process.execPath, ...process.execArgv, process.argv[1] ?? ''];
  const words = [...given, 'agent', 'prepare', agent, '--session', session, ...(file === null ? [] : ['--file', file])];
  const child = spawn(program, words, { detached: true, stdio: 'ignore' });
  // An agent that waits gets its answer all the same.
  child.on('error', () => undefined);
  child.unref();
}
