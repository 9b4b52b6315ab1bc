import { cp, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { manifests, packageNames } from '../../scripts/packages/manifests';
import { built } from '../builders/built';
import { installPackages } from '../packages/installed';

/**
 * The folder of a program with the library installed in it, as npm would install it. The tests of packages use npm
 * itself.
 */
export async function installedLibrary(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'strata-installed-'));
  if (process.env.STRATA_TESTS_PACKAGES) await installPackages(folder, ['library', 'encoder']);
  else await copyBuilt(folder);
  return folder;
}

async function copyBuilt(folder: string): Promise<void> {
  const installed = join(folder, 'node_modules', packageNames.library);
  const dist = await built('library', 'embeddings');
  await cp(join(dist, 'library'), join(installed, 'dist/library'), { recursive: true });
  await cp(join(dist, 'node_modules'), join(folder, 'node_modules'), { recursive: true });
  await writeFile(join(installed, 'package.json'), JSON.stringify(manifests.library));
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }');
}

/** The first fenced block of a page that begins with this text. */
export function codeOf(page: string, language: string, begins: string): string {
  const blocks = [...page.matchAll(new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``, 'g'))].map(
    ([, code = '']) => code,
  );
  const found = blocks.find((code) => code.startsWith(begins));
  if (found === undefined) throw new Error(`The page has no block that begins with ${begins}`);
  return found;
}
