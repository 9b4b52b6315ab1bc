import { readdir, readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { BuildName } from '../../vite.config.ts';
import { packagesIn } from '../inputs.ts';

/** A package that is part of a bundle. */
export interface ThirdParty {
  readonly name: string;
  readonly version: string;
  /** SPDX expression. */
  readonly license: string;
  readonly homepage: string | null;
  /** Its complete licence and notices. */
  readonly texts: readonly string[];
}

/** All packages in these bundles, by name and version. Rejects if the licence text of one is unknown. */
export async function thirdPartiesOf(builds: readonly BuildName[]): Promise<readonly ThirdParty[]> {
  const folders = (await Promise.all(builds.map(packagesIn))).flat();
  const found = await Promise.all([...new Set(folders)].map(thirdPartyIn));
  const byId = new Map(found.map((party) => [`${party.name}@${party.version}`, party]));
  return [...byId.keys()].sort().flatMap((id) => byId.get(id) ?? []);
}

async function thirdPartyIn(folder: string): Promise<ThirdParty> {
  const {
    name,
    version,
    license,
    author,
    homepage = null,
  } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
  const own = await termsIn(folder);
  const texts = own.length > 0 ? own : [await usualTerms(license, author?.name ?? author ?? `the authors of ${name}`)];
  return { name, version, license, homepage, texts };
}

/** Some packages declare the MIT licence without including its text. */
async function usualTerms(license: unknown, holder: string): Promise<string> {
  if (license !== 'MIT') throw new Error(`A package of ${holder} under ${license} comes without its terms.`);
  const ours = await readFile(resolve(import.meta.dirname, '../../LICENSE'), 'utf8');
  return ours.replace(/^Copyright.*$/m, `Copyright (c) ${holder}`).trim();
}

const termsFile = /^(?:licen[cs]e|copying|notice|thirdpartynotices?)\b/i;

async function termsIn(folder: string): Promise<string[]> {
  const names = (await readdir(folder)).filter((name) => termsFile.test(name)).sort();
  return await Promise.all(names.map(async (name) => (await readFile(join(folder, name), 'utf8')).trim()));
}
