import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, it } from 'vitest';

/** An entry of `packages` in package-lock.json. */
interface Locked {
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

type Lock = Readonly<Record<string, Locked>>;

/** Optional packages that the lock names and does not have. npm drops those of other platforms when it updates a lock beside a node_modules. */
function missingFrom(lock: Lock): string[] {
  return Object.entries(lock).flatMap(([place, { optionalDependencies = {} }]) =>
    Object.keys(optionalDependencies)
      .filter((name) => !folders(place).some((folder) => Object.hasOwn(lock, `${folder}node_modules/${name}`)))
      .map((name) => `${place || 'the project'} needs ${name}`),
  );
}

/** Where Node.js looks for what a package in this place needs: beside it, and in each folder around it. */
function folders(place: string): string[] {
  const parts = place.split(/(?<=\/)(?=node_modules\/)/);
  return parts
    .map((_, index) => parts.slice(0, parts.length - index).join(''))
    .map((folder) => (folder === '' || folder.endsWith('/') ? folder : `${folder}/`))
    .concat('');
}

it('package-lock.json has the optional packages of every platform', () => {
  const { packages } = JSON.parse(readFileSync(resolve(import.meta.dirname, '../package-lock.json'), 'utf8'));
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
