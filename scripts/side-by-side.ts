import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import pMap from 'p-map';

/**
 * Runs shell commands, at least two at a time, and prints one line for each with its name. Resolves to whether all of
 * them passed.
 */
export async function runSideBySide(commands: Readonly<Record<string, string>>): Promise<boolean> {
  const concurrency = Math.max(2, availableParallelism());
  const failed = await pMap(Object.entries(commands), ([name, command]) => failure(name, command), { concurrency });
  return !failed.some(Boolean);
}

/** Runs a check and prints one line. If it failed, its output follows. */
async function failure(name: string, command: string): Promise<boolean> {
  const started = performance.now();
  const child = spawn(command, { shell: true, stdio: ['ignore', 'pipe', 'pipe'] });
  const printed: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => printed.push(chunk));
  const [code] = await once(child, 'close');
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  console.log(`${name.padEnd(8)} ${code === 0 ? 'passed' : 'FAILED'} in ${seconds} s`);
  if (code !== 0) process.stderr.write(Buffer.concat(printed));
  return code !== 0;
}
