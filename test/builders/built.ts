import { existsSync } from 'node:fs';
import { cp, mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join, relative, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { build } from 'vite';
import { inject } from 'vitest';
import { isStale } from '../../scripts/inputs.ts';
import { type BuildName, builds } from '../../vite.config.ts';

const root = resolve(import.meta.dirname, '../..');

/** Long enough for all builds on a busy machine. */
export const buildTimeoutMs = 300_000;

/**
 * A folder that contains these builds as `dist` does. Each is made once in a run of the tests, by the file that first
 * asks for it: copied from `dist` if it is up to date there, as in `npm test`, and built otherwise. Tests do not write
 * into the folder. A program finds the sentence encoder only if the caller asks for it, because it takes seconds.
 */
export async function built(...names: readonly BuildName[]): Promise<string> {
  const dist = join(inject('runFolder'), names.includes('embeddings') ? 'dist-with-encoder' : 'dist');
  await mkdir(dist, { recursive: true });
  await writeFile(join(inject('runFolder'), 'package.json'), '{ "type": "module" }');
  for (const name of names) await buildOnce(name, dist);
  return dist;
}

async function buildOnce(name: BuildName, dist: string): Promise<void> {
  const outcome = join(dist, `${name}.outcome`);
  const isFirst = (await mkdir(join(dist, `${name}.begun`), { recursive: true })) !== undefined;
  if (isFirst) {
    const inProject = builds[name].build?.outDir ?? `dist/${name}`;
    const outDir = join(dist, relative('dist', inProject));
    const making = (await isStale(name))
      ? build({ root, mode: name, logLevel: 'error', build: { outDir } })
      : cp(join(root, inProject), outDir, { recursive: true });
    const fault = await faultOf(making);
    await writeFile(`${outcome}.new`, fault);
    await rename(`${outcome}.new`, outcome);
  }
  while (!existsSync(outcome)) await delay(50);
  const fault = await readFile(outcome, 'utf8');
  if (fault !== '') throw new Error(`The build "${name}" failed: ${fault}`);
}

async function faultOf(work: Promise<unknown>): Promise<string> {
  try {
    await work;
    return '';
  } catch (error) {
    return String(error);
  }
}
