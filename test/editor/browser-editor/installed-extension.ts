import { existsSync } from 'node:fs';
import { cp, mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { strata } from '../strata.ts';

/** What an installed Strata consists of. */
const INSTALLED_PARTS = ['package.json', 'dist', 'media', 'README.md', 'CHANGELOG.md', 'LICENSE'];

/**
 * Makes Strata, as it is built now, the only extension in an extensions folder.
 *
 * Copied, as an installation would: links would be followed, and VS Code does not know code that it finds outside the
 * installed folder as Strata's. The page could name this project as a development extension instead, but only to a
 * server that is set up for smoke tests, and there VS Code shows no notification.
 */
export async function installStrata(extensionsDir: string): Promise<void> {
  await rm(extensionsDir, { recursive: true, force: true });
  const installed = join(extensionsDir, `${strata.identifier}-${strata.version}`);
  await mkdir(installed, { recursive: true });
  for (const part of INSTALLED_PARTS) {
    const source = join(strata.folder, part);
    if (existsSync(source)) await cp(source, join(installed, part), { recursive: true });
  }
}
