/**
 * `npm run test:quick`: style, types, and the unit tests that a change touches: what differs from the branch `main`, and on it
 * what is not committed.
 */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import pMap from 'p-map';

const checks = {
  style: 'npm run check:style',
  types: 'npm run check:types',
  svelte: 'npm run check:svelte',
  tests: `npx vitest run --project unit --passWithNoTests --changed ${changesSince()}`,
};

const failed = await pMap(Object.entries(checks), ([name, command]) => failure(name, command), {
  concurrency: Math.max(2, availableParallelism()),
});
process.exitCode = failed.some(Boolean) ? 1 : 0;

function changesSince(): string {
  const main = ['main', 'origin/main'].find((branch) => git('rev-parse', '--verify', '--quiet', branch) !== '');
  return main === undefined ? 'HEAD' : git('merge-base', 'HEAD', main);
}

function git(...args: readonly string[]): string {
  try {
    return execFileSync('git', args, { encoding: 'utf8' }).trim();
  } catch {
    // `rev-parse --verify` says no by its exit code.
    return '';
  }
}

/** Runs a check and prints one line; what it printed follows where it failed. */
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
