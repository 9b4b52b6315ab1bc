#!/usr/bin/env node
import { nodeFault } from './node-version';

/**
 * The `strata` command. The program is loaded only if Node.js is new enough to run it. Its compiled code is cached for
 * the next run (NODE_DISABLE_COMPILE_CACHE=1 turns this off).
 */
const fault = nodeFault(process.versions.node);
if (fault === null) {
  const { cacheCompiledCode } = await import('./code-cache');
  cacheCompiledCode();
  ignoreClosedPipes();
  const words = process.argv.slice(2);
  const { answeredByRunning } = await import('./agent-client');
  process.exitCode = (await answeredByRunning(words)) ?? (await (await import('./program')).runStrata(words));
} else {
  process.stderr.write(`strata: ${fault}\n`);
  process.exitCode = 1;
}

function ignoreClosedPipes(): void {
  // A reader that closes the pipe early (`strata context FILE | head`) is not an error.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1));
  // A closed standard error does not end the output.
  process.stderr.on('error', () => undefined);
}
