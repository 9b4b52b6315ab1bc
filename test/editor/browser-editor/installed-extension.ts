import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { contents } from '../../../scripts/packages/contents.ts';
import { strata } from '../strata.ts';
import { ensureBrowserEditor } from './install.ts';

const run = promisify(execFile);

/** What an installed Strata consists of, and the sentence encoder, which is a package of its own. */
const INSTALLED_PARTS = [...contents.extension.files, 'dist/node_modules', 'package.json', 'README.md', 'LICENSE'];

/** Where VS Code notes what is installed and what was uninstalled. Without them it takes what folders there are. */
const NOTES = ['extensions.json', '.obsolete'];

/**
 * Installs Strata, as it is built now, into an extensions folder, in place of an earlier one.
 *
 * Copied, as an installation would: links would be followed, and VS Code does not know code that it finds outside the
 * installed folder as Strata's. The page could name this project as a development extension instead, but only to a
 * server that is set up for smoke tests, and there VS Code shows no notification.
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

/** Installs a packed extension as a person would: by the editor itself. */
export async function installVsix(vsix: string, extensionsDir: string, version?: string): Promise<void> {
  const { node, serverFolder } = await ensureBrowserEditor(version);
  const options = ['--extensions-dir', extensionsDir, '--accept-server-license-terms'];
  await run(node, ['out/server-main.js', ...options, '--install-extension', vsix], { cwd: serverFolder });
}

async function uninstallStrata(extensionsDir: string): Promise<void> {
  const earlier = (await readdir(extensionsDir)).filter((name) => name.startsWith(`${strata.identifier}-`));
  for (const name of [...earlier, ...NOTES]) await rm(join(extensionsDir, name), { recursive: true, force: true });
}
