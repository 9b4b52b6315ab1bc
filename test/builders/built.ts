import { existsSync } from 'node:fs';
import { cp, mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join, relative, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { build as viteBuild } from 'vite';
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
  const dist = join(inject('runFolder'), 'dist');
  const withEncoder = `${dist}-with-encoder`;
  const findsEncoder = names.includes('embeddings');
  await describePackage(inject('runFolder'));
  for (const name of names) {
    const from = name === 'embeddings' ? withEncoder : dist;
    await once(name, from, () => build(name, from));
    if (findsEncoder && from === dist)
      await once(name, withEncoder, () => copy(placeOf(name, dist), placeOf(name, withEncoder)));
  }
  return findsEncoder ? withEncoder : dist;
}

/** Replaces the file in one step, because programs of other test files may be reading it. */
async function describePackage(folder: string): Promise<void> {
  const written = join(folder, `package.${process.pid}.json`);
  await writeFile(written, '{ "type": "module" }');
  await rename(written, join(folder, 'package.json'));
}

const placeOf = (name: BuildName, dist: string) =>
  join(dist, relative('dist', builds[name].build?.outDir ?? `dist/${name}`));

const copy = (from: string, to: string) => cp(from, to, { recursive: true });

async function build(name: BuildName, dist: string): Promise<unknown> {
  const outDir = placeOf(name, dist);
  if (!(await isStale(name))) return await copy(placeOf(name, join(root, 'dist')), outDir);
  return await viteBuild({ root, mode: name, logLevel: 'error', build: { outDir } });
}

/** Only the first caller, among all processes, does the work. The others wait for it, and all get its fault. */
async function once(name: BuildName, dist: string, work: () => Promise<unknown>): Promise<void> {
  const outcome = join(dist, `${name}.outcome`);
  const isFirst = (await mkdir(join(dist, `${name}.begun`), { recursive: true })) !== undefined;
  if (isFirst) {
    await writeFile(`${outcome}.new`, await faultOf(work));
    await rename(`${outcome}.new`, outcome);
  }
  while (!existsSync(outcome)) await delay(50);
  const fault = await readFile(outcome, 'utf8');
  if (fault !== '') throw new Error(`The build "${name}" failed: ${fault}`);
}

async function faultOf(work: () => Promise<unknown>): Promise<string> {
  try {
    await work();
    return '';
  } catch (error) {
    return String(error);
  }
}
