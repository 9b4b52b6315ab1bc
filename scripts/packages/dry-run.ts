import { spawnSync } from 'node:child_process';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createVSIX, listFiles } from '@vscode/vsce';
import { isPreRelease } from './manifests.ts';
import { packageFile, packagesFolder } from './pack.ts';

/** The same version as in `release.yml`. */
const openVsx = 'ovsx@1.3.0';

/** Packs the extension as a release does, and runs the client of Open VSX until it asks for a token. */
export async function dryRunOfExtension(repository: string | undefined): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'strata-release-'));
  try {
    await packed(folder, repository);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  stopsAtToken();
}

/**
 * If there is a repository, links of the README are rewritten to it. This fails for a link that cannot be rewritten.
 */
async function packed(folder: string, repository: string | undefined): Promise<void> {
  await cp(join(packagesFolder, 'extension'), folder, { recursive: true });
  if (repository !== undefined) await setRepository(join(folder, 'package.json'), repository);
  const ignoreFile = resolve('.vscodeignore');
  const files = await listFiles({ cwd: folder, ignoreFile, packagedDependencies: [] });
  console.log(`vsce: ${files.length} files`);
  const packagePath = join(folder, 'dry-run.vsix');
  const unset = repository === undefined ? { allowMissingRepository: true, rewriteRelativeLinks: false } : {};
  await createVSIX({ cwd: folder, packagePath, ignoreFile, dependencies: false, preRelease: isPreRelease, ...unset });
}

async function setRepository(file: string, url: string): Promise<void> {
  const manifest = JSON.parse(await readFile(file, 'utf8'));
  await writeFile(file, JSON.stringify({ ...manifest, repository: { type: 'git', url } }, null, 2));
}

/** The client reads the package and then asks for the publisher's token. Without one it stops there. */
function stopsAtToken(): void {
  const credentials = ['OVSX_PAT', 'ACTIONS_ID_TOKEN_REQUEST_URL', 'ACTIONS_ID_TOKEN_REQUEST_TOKEN'];
  const environment = Object.entries(process.env).filter(([name]) => !credentials.includes(name));
  const { stdout, stderr } = spawnSync(
    'npx',
    ['--yes', openVsx, 'publish', '--skip-duplicate', '--packagePath', packageFile('extension')],
    {
      encoding: 'utf8',
      env: Object.fromEntries(environment),
      input: '',
      shell: process.platform === 'win32',
    },
  );
  if (!/Personal Access Token for namespace/.test(stdout))
    throw new Error(`${openVsx} stopped early:\n${stdout}${stderr}`);
  console.log('ovsx: the package was read; a token was asked for');
}
