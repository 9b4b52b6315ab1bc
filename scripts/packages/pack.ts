import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { createVSIX } from '@vscode/vsce';
import { integrityOf } from '../../extension/models/embeddings/integrity.ts';
import { type Artefact, contents } from './contents.ts';
import { isPreRelease, repository } from './manifests.ts';
import { stage } from './stage.ts';

const run = promisify(execFile);

/** The folder of the packed packages. Each run recreates its content, and git ignores it. */
export const packagesFolder = resolve(import.meta.dirname, '../../dist/packages');

const stagedFolder = (artefact: Artefact) => join(packagesFolder, artefact);

/** The path of a package file, ready to publish. */
export function packageFile(artefact: Artefact): string {
  const { name, version } = contents[artefact].manifest;
  return join(packagesFolder, artefact === 'extension' ? 'strata-context.vsix' : `${name}-${version}.tgz`);
}

/** Packs the encoder first: the extension contains its checksum. */
export async function packAll(): Promise<void> {
  for (const artefact of ['encoder', 'library', 'cli'] as const) await packForNpm(artefact);
  await stage(contents.extension, stagedFolder('extension'));
  await writeFile(join(stagedFolder('extension'), 'dist/encoder.json'), JSON.stringify(await encoderRelease()));
  await packExtension();
}

async function packForNpm(artefact: Artefact): Promise<void> {
  const folder = stagedFolder(artefact);
  await stage(contents[artefact], folder);
  // No argument has spaces or quotes: on Windows npm is a script that only a shell can start.
  await run('npm', ['pack', '--silent', '--ignore-scripts', '--pack-destination', '..'], {
    cwd: folder,
    shell: process.platform === 'win32',
  });
}

async function encoderRelease() {
  const archive = await readFile(packageFile('encoder'));
  const { version } = contents.encoder.manifest;
  return { version, integrity: integrityOf(archive), bytes: archive.length };
}

/** If there is a repository, links of the README are rewritten to it. */
async function packExtension(): Promise<void> {
  await createVSIX({
    cwd: stagedFolder('extension'),
    packagePath: packageFile('extension'),
    ignoreFile: resolve('.vscodeignore'),
    dependencies: false,
    preRelease: isPreRelease,
    ...(repository === undefined ? { allowMissingRepository: true, rewriteRelativeLinks: false } : {}),
  });
}
