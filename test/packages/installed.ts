import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { packageFile } from '../../scripts/packages/pack';

const run = promisify(execFile);

export type NpmPackage = 'library' | 'cli' | 'encoder';

/** Installs packed packages into an empty project. `npm run package` packs them; no registry is asked. */
export async function installPackages(folder: string, packages: readonly NpmPackage[]): Promise<void> {
  await writeFile(join(folder, 'package.json'), '{ "type": "module", "private": true }');
  await npm(folder, ['install', '--offline', '--ignore-scripts', ...packages.map(packageFile)]);
}

/** Prints what npm prints; on Windows npm is a script that only a shell starts. */
export async function npm(folder: string, commandLine: readonly string[]): Promise<string> {
  const { stdout } = await run('npm', [...commandLine], { cwd: folder, shell: process.platform === 'win32' });
  return stdout;
}
