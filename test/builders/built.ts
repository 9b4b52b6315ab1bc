import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join, relative, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { build } from 'vite';
import { inject } from 'vitest';
import { type BuildName, builds } from '../../vite.config.ts';

const root = resolve(import.meta.dirname, '../..');

/** Long enough for all builds on a busy machine. */
export const buildTimeoutMs = 300_000;

/**
 * A folder that contains these builds as `dist` does. Each is built once in a run of the tests, by the file that first
 * asks for it. Tests do not write into the folder.
 */
export async function built(...names: readonly BuildName[]): Promise<string> {
  const dist = join(inject('runFolder'), 'dist');
  await mkdir(dist, { recursive: true });
  await writeFile(join(inject('runFolder'), 'package.json'), '{ "type": "module" }');
  for (const name of names) await buildOnce(name, dist);
  return dist;
}

async function buildOnce(name: BuildName, dist: string): Promise<void> {
  const outcome = join(dist, `${name}.outcome`);
  const isFirst = (await mkdir(join(dist, `${name}.begun`), { recursive: true })) !== undefined;
  if (isFirst) {
    const outDir = join(dist, relative('dist', builds[name].build?.outDir ?? `dist/${name}`));
    const fault = await faultOf(build({ root, mode: name, logLevel: 'error', build: { outDir } }));
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
