import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectFolder } from './paths.ts';

interface Manifest {
  readonly publisher: string;
  readonly name: string;
  readonly displayName: string;
  readonly version: string;
}

const manifest: Manifest = JSON.parse(readFileSync(join(projectFolder, 'package.json'), 'utf8'));

/** The extension under test, as its package.json names it. */
export const strata = {
  identifier: `${manifest.publisher}.${manifest.name}`,
  displayName: manifest.displayName,
  version: manifest.version,
  folder: projectFolder,
};
