import { mkdtemp, writeFile } from 'node:fs/promises';
import { builtinModules } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { build } from 'vite';

/**
 * Builds the program of a thread as it is released, and returns its file. The path `source` begins with `extension`.
 */
export async function builtThread(source: string): Promise<string> {
  const outDir = await mkdtemp(join(tmpdir(), 'strata-thread-'));
  const name = basename(source, '.ts');
  await build({
    configFile: false,
    logLevel: 'error',
    publicDir: false,
    build: {
      ssr: resolve(import.meta.dirname, '../..', source),
      outDir,
      target: 'node22',
      rolldownOptions: {
        // The sentence encoder is a bundle of its own.
        external: [/\/encoder$/],
        output: { format: 'cjs', entryFileNames: `${name}.cjs`, chunkFileNames: '[name].cjs' },
      },
    },
    ssr: { noExternal: true, external: builtinModules.map((builtin) => `node:${builtin}`) },
  });
  return join(outDir, `${name}.cjs`);
}

/** A thread whose program is this code. */
export async function threadThat(does: string): Promise<string> {
  const file = join(await mkdtemp(join(tmpdir(), 'strata-thread-')), 'thread.cjs');
  await writeFile(file, `const { parentPort } = require('node:worker_threads');\n${does}\n`);
  return file;
}
