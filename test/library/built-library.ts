import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { build } from 'vite';

const root = resolve(import.meta.dirname, '../..');

/** A program's folder with the library installed in it, as npm would install it. */
export async function installedLibrary(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'strata-installed-'));
  const installed = join(folder, 'node_modules/strata');
  await build({ root, mode: 'library', logLevel: 'error', build: { outDir: join(installed, 'dist/library') } });
  await build({ root, mode: 'embeddings', logLevel: 'error', build: { outDir: join(installed, 'dist/embeddings') } });
  await copyManifest(installed);
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }');
  return folder;
}

async function copyManifest(installed: string): Promise<void> {
  const { default: manifest } = await import('../../package.json', { with: { type: 'json' } });
  const { name, version, type, exports, sideEffects } = manifest;
  await writeFile(join(installed, 'package.json'), JSON.stringify({ name, version, type, exports, sideEffects }));
}

/** The first fenced block of a page that begins with these words. */
export function codeOf(page: string, language: string, begins: string): string {
  const blocks = [...page.matchAll(new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``, 'g'))].map(
    ([, code = '']) => code,
  );
  const found = blocks.find((code) => code.startsWith(begins));
  if (found === undefined) throw new Error(`The page has no block that begins with ${begins}`);
  return found;
}
