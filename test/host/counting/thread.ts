import { mkdtemp, writeFile } from 'node:fs/promises';
import { builtinModules } from 'node:module';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { build } from 'vite';

const source = resolve(import.meta.dirname, '../../../extension/host/counting/counting-thread.ts');

/** Builds the counting thread as it is shipped. Returns its file. */
export async function builtThread(): Promise<string> {
  const outDir = await mkdtemp(join(tmpdir(), 'strata-counting-'));
  await build({
    configFile: false,
    logLevel: 'error',
    publicDir: false,
    build: {
      ssr: source,
      outDir,
      target: 'node22',
      rolldownOptions: { output: { format: 'cjs', entryFileNames: 'counting.cjs', chunkFileNames: '[name].cjs' } },
    },
    ssr: { noExternal: true, external: builtinModules.map((name) => `node:${name}`) },
  });
  return join(outDir, 'counting.cjs');
}

/** A thread with another program. */
export async function threadThat(does: string): Promise<string> {
  const file = join(await mkdtemp(join(tmpdir(), 'strata-counting-')), 'thread.cjs');
  await writeFile(file, `const { parentPort } = require('node:worker_threads');\n${does}\n`);
  return file;
}
