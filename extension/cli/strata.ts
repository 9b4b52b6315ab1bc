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
  await import('./program');
} else {
  process.stderr.write(`strata: ${fault}\n`);
  process.exitCode = 1;
}
