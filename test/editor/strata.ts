import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectFolder } from './paths.ts';

interface Manifest {
  readonly publisher: string;
  readonly name: string;
  readonly displayName: string;
  readonly version: string;
}

const manifest: Manifest = readJson('package.json');
const words: Readonly<Record<string, string>> = readJson('package.nls.json');

function readJson<T>(name: string): T {
  return JSON.parse(readFileSync(join(projectFolder, name), 'utf8'));
}

/** The text as the editor shows it: `%key%` is replaced by the text of that key. */
function shown(text: string): string {
  return words[text.replaceAll('%', '')] ?? text;
}

/** The extension under test, as its package.json describes it. */
export const strata = {
  identifier: `${manifest.publisher}.${manifest.name}`,
  displayName: shown(manifest.displayName),
  version: manifest.version,
  folder: projectFolder,
};
