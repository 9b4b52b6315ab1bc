import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const folders: string[] = [];

/**
 * A new empty folder that is removed when this process exits. Its path is short, because desktop VS Code makes a socket
 * in its user data folder. The path contains no links, because macOS's temporary folder is one.
 */
export function temporaryFolder(): string {
  if (folders.length === 0) process.once('exit', removeFolders);
  const folder = mkdtempSync(join(realpathSync(tmpdir()), 'strata-'));
  folders.push(folder);
  return folder;
}

/**
 * An empty home. An editor in it finds no sessions of the person who runs the tests, and writes nothing into their
 * folders.
 */
export function homeOfNobody(): Readonly<Record<string, string>> {
  return { HOME: temporaryFolder(), XDG_DATA_HOME: '' };
}

/** Retried, because an editor that was just killed may still be writing. */
function removeFolders(): void {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}
