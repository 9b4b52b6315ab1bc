import { join } from 'node:path';
import { runnerImport } from 'vite';

// Run this by hand: see README.md. The sources import each other without file extensions, so Vite loads them.
await runnerImport(join(import.meta.dirname, 'run.ts'), { configFile: false, logLevel: 'warn' });
