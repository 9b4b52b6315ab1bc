import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, it } from 'vitest';

/** An entry of `packages` in package-lock.json. */
interface Locked {
  readonly license?: string;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

type Lock = Readonly<Record<string, Locked>>;

/**
 * Optional packages that the lock names and does not contain. npm drops those of other platforms when it updates a lock
 * beside a node_modules.
 */
function missingFrom(lock: Lock): string[] {
  return Object.entries(lock).flatMap(([place, { optionalDependencies = {} }]) =>
    Object.keys(optionalDependencies)
      .filter((name) => !folders(place).some((folder) => Object.hasOwn(lock, `${folder}node_modules/${name}`)))
      .map((name) => `${place || 'the project'} needs ${name}`),
  );
}

/** The folders in which Node.js looks for the dependencies of a package: inside it, and in each folder above it. */
function folders(place: string): string[] {
  const parts = place.split(/(?<=\/)(?=node_modules\/)/);
  return parts
    .map((_, index) => parts.slice(0, parts.length - index).join(''))
    .map((folder) => (folder === '' || folder.endsWith('/') ? folder : `${folder}/`))
    .concat('');
}

const { packages } = JSON.parse(readFileSync(resolve(import.meta.dirname, '../package-lock.json'), 'utf8'));

/** The licences that packages may have, as SECURITY.md lists them. */
const accepted = new Set([
  ...['MIT', 'Apache-2.0', 'ISC', 'MPL-2.0', 'BSD-2-Clause', 'BSD-3-Clause', '0BSD', 'BlueOak-1.0.0', 'Artistic-2.0'],
  ...['CC0-1.0', 'CC-BY-4.0', 'Python-2.0', 'Unlicense', 'Zlib'],
]);

/** Packages without an accepted licence. If there is a choice, one accepted licence is enough. */
function otherLicences(lock: Lock): string[] {
  return Object.entries(lock)
    .filter(([place]) => place !== '')
    .filter(([, { license = '' }]) => {
      const choices = license.replace(/[()]/g, '').split(' OR ');
      return !choices.some((choice) => choice.split(' AND ').every((name) => accepted.has(name)));
    })
    .map(([place, { license = 'none' }]) => `${place.replace(/^.*node_modules\//, '')}: ${license}`);
}

it('each package has a licence that is accepted, or terms that SECURITY.md names', () => {
  expect(otherLicences(packages).filter((found) => !found.startsWith('@vscode/vsce-sign'))).toEqual([]);
});

it('a package with another licence, or with none, is named', () => {
  const lock = {
    '': {},
    'node_modules/a': { license: '(MIT AND Zlib)' },
    'node_modules/b': { license: 'GPL-3.0-only' },
    'node_modules/a/node_modules/c': {},
    'node_modules/d': { license: '(MIT OR GPL-3.0-or-later)' },
    'node_modules/e': { license: '(MIT AND GPL-3.0-only)' },
  };
  expect(otherLicences(lock)).toEqual(['b: GPL-3.0-only', 'c: none', 'e: (MIT AND GPL-3.0-only)']);
});

it('package-lock.json has the optional packages of every platform', () => {
  expect(missingFrom(packages)).toEqual([]);
});

it('an optional package of another platform that is missing is named, and one beside its parent is found', () => {
  const parent = { optionalDependencies: { '@esbuild/aix-ppc64': '1', fsevents: '2' } };
  const lock = {
    'node_modules/vite': {},
    'node_modules/vite/node_modules/esbuild': parent,
    'node_modules/fsevents': {},
  };
  expect(missingFrom(lock)).toEqual(['node_modules/vite/node_modules/esbuild needs @esbuild/aix-ppc64']);
  expect(missingFrom({ ...lock, 'node_modules/vite/node_modules/@esbuild/aix-ppc64': {} })).toEqual([]);
});
