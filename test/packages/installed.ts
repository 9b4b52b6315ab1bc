import { execFile } from 'node:child_process';
import { cp, mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { packageFile } from '../../scripts/packages/pack';

const run = promisify(execFile);
const root = resolve(import.meta.dirname, '../..');

export type NpmPackage = 'library' | 'cli' | 'encoder';

/** Installs packed packages into an empty project. `npm run package` packs them; no registry is used. */
export async function installPackages(folder: string, packages: readonly NpmPackage[]): Promise<void> {
  await writeFile(join(folder, 'package.json'), '{ "type": "module", "private": true }');
  await npm(folder, ['install', '--offline', '--ignore-scripts', ...packages.map(packageFile)]);
}

/** Returns npm's output. On Windows npm is a script that only a shell can start. */
export async function npm(folder: string, commandLine: readonly string[]): Promise<string> {
  const { stdout } = await run('npm', [...commandLine], { cwd: folder, shell: process.platform === 'win32' });
  return stdout;
}

/** Makes packages of this project, or of another folder, available in a project as if they were installed there. */
export async function linkPackages(folder: string, names: readonly string[], from = root): Promise<void> {
  for (const name of names) {
    const place = join(folder, 'node_modules', name);
    await mkdir(dirname(place), { recursive: true });
    await symlink(join(from, 'node_modules', name), place, 'junction').catch(ifThere);
  }
}

function ifThere({ code }: NodeJS.ErrnoException): void {
  if (code !== 'EEXIST') throw new Error(`The package could not be linked: ${code}`);
}

/**
 * A folder below `test/packages` with the packages of its own lock file, which are installed from the registry once.
 * They are not dependencies of the project, because only these tests need them, and they take hundreds of megabytes.
 */
export async function lockedPackages(name: string): Promise<string> {
  const folder = join(import.meta.dirname, name);
  const lock = await readFile(join(folder, 'package-lock.json'), 'utf8');
  const installed = join(folder, 'node_modules/.installed-lock.json');
  if ((await readFile(installed, 'utf8').catch(() => null)) !== lock) {
    await npm(folder, ['ci', '--no-audit', '--no-fund']);
    await cp(join(folder, 'package-lock.json'), installed);
  }
  return folder;
}
