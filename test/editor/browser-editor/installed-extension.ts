import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { contents } from '../../../scripts/packages/contents.ts';
import { strata } from '../strata.ts';
import { ensureBrowserEditor } from './install.ts';

const run = promisify(execFile);

/** The parts of an installed Strata, and the sentence encoder, which is a package of its own. */
const INSTALLED_PARTS = [...contents.extension.files, 'dist/node_modules', 'package.json', 'README.md', 'LICENSE'];

/** VS Code's lists of what is installed and what was uninstalled. Without them it uses the folders that exist. */
const NOTES = ['extensions.json', '.obsolete'];

/**
 * Installs the current build of Strata into an extensions folder, in place of an earlier one. The files are copied, as
 * in an installation: links would be followed, and VS Code does not recognize code outside the installed folder as
 * Strata's. The page could name this project as a development extension instead, but only with a server for smoke
 * tests, in which VS Code shows no notifications.
 */
export async function installStrata(extensionsDir: string): Promise<void> {
  await mkdir(extensionsDir, { recursive: true });
  await uninstallStrata(extensionsDir);
  const installed = join(extensionsDir, `${strata.identifier}-${strata.version}`);
  await mkdir(installed);
  for (const part of INSTALLED_PARTS) {
    const source = join(strata.folder, part);
    if (existsSync(source)) await cp(source, join(installed, part), { recursive: true });
  }
}

/** Installs a packed extension as a person would, with the editor itself. */
export async function installVsix(vsix: string, extensionsDir: string, version?: string): Promise<void> {
  const { node, serverFolder } = await ensureBrowserEditor(version);
  const options = ['--extensions-dir', extensionsDir, '--accept-server-license-terms'];
  await run(node, ['out/server-main.js', ...options, '--install-extension', vsix], { cwd: serverFolder });
}

async function uninstallStrata(extensionsDir: string): Promise<void> {
  const earlier = (await readdir(extensionsDir)).filter((name) => name.startsWith(`${strata.identifier}-`));
  for (const name of [...earlier, ...NOTES]) await rm(join(extensionsDir, name), { recursive: true, force: true });
}
