import { cp, mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Contents } from './contents.ts';
import { noticesOf } from './notices.ts';
import { sbomOf } from './sbom.ts';
import { thirdPartiesOf } from './third-parties.ts';

/** Assembles a package in a folder, which is emptied first. */
export async function stage(contents: Contents, folder: string): Promise<void> {
  const { manifest, builds, files, within, readme } = contents;
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  for (const file of files) await copy(file, join(folder, within ?? file));
  const parties = await thirdPartiesOf(builds);
  await writeFile(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  await writeFile(join(folder, 'ThirdPartyNotices.txt'), noticesOf(manifest.name, parties));
  await writeFile(join(folder, 'sbom.cdx.json'), sbomOf(manifest, parties));
  await cp('LICENSE', join(folder, 'LICENSE'));
  await cp(readme, join(folder, 'README.md'));
}

/** Copies without source maps and without the lines that refer to them. */
async function copy(from: string, to: string): Promise<void> {
  if ((await stat(from)).isDirectory()) {
    for (const name of (await readdir(from)).sort()) await copy(join(from, name), join(to, name));
  } else if (!from.endsWith('.map')) {
    await mkdir(dirname(to), { recursive: true });
    if (/\.(?:[cm]?js|css)$/.test(from)) await writeFile(to, withoutMap(await readFile(from, 'utf8')));
    else await cp(from, to);
  }
}

function withoutMap(text: string): string {
  return text.replace(/\n(?:\/\/# sourceMappingURL=.*|\/\*# sourceMappingURL=.*\*\/)\s*$/, '\n');
}
