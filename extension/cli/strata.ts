#!/usr/bin/env node
import { nodeFault } from './node-version';

/**
 * The `strata` command. The program is loaded only where Node.js is new enough to read it, and its compiled code is kept
 * for the next run (NODE_DISABLE_COMPILE_CACHE=1 keeps none).
 */
const fault = nodeFault(process.versions.node);
if (fault === null) {
  const { enableCompileCache } = await import('node:module');
  enableCompileCache?.();
  const { runStrata } = await import('./program');
  outlivesItsReaders();
  process.exitCode = await runStrata(process.argv.slice(2));
} else {
  process.stderr.write(`strata: ${fault}\n`);
  process.exitCode = 1;
}

function outlivesItsReaders(): void {
  // A reader that closes the pipe early (`strata context FILE | head`) is no failure.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1));
  // Nobody listens to the warnings; the output is still wanted.
  process.stderr.on('error', () => undefined);
}
