import { cp, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { built } from '../builders/built';

/** A program's folder with the library installed in it, as npm would install it. */
export async function installedLibrary(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'strata-installed-'));
  const installed = join(folder, 'node_modules/strata');
  const dist = await built('library', 'embeddings');
  for (const name of ['library', 'embeddings']) {
    await cp(join(dist, name), join(installed, 'dist', name), { recursive: true });
  }
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
