import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { Plugin } from 'vite';
import type { DeclarationReply, DeclarationRequest } from './declarations.ts';

/** Writes the declarations of these entries, and of everything that they import, into `types/` beside the bundle. */
export function declarations(entries: readonly string[]): Plugin {
  let reply: Promise<[DeclarationReply]> | undefined;
  return {
    name: 'strata:declarations',
    apply: 'build',
    buildStart() {
      const workerData: DeclarationRequest = { root: resolve(import.meta.dirname, '..'), entries };
      const thread = new Worker(new URL('declarations.ts', import.meta.url), { workerData });
      reply = once(thread, 'message') as Promise<[DeclarationReply]>;
    },
    async writeBundle({ dir = '' }) {
      if (reply === undefined) return;
      const [{ files, faults }] = await reply;
      for (const fault of faults) this.error(fault);
      await Promise.all([...files].map(([path, text]) => writeInto(join(dir, 'types', path), text)));
    },
  };
}

async function writeInto(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text);
}
