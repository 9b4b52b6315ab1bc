import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach } from 'vitest';

/** A folder of its own for each call, gone after the test. */
export function temporaryFolders(): () => string {
  const folders: string[] = [];
  afterEach(() => {
    for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
  });
  return () => {
    const folder = mkdtempSync(join(tmpdir(), 'strata-sessions-'));
    folders.push(folder);
    return folder;
  };
}

/** Nobody's home: no agent of this machine has a say in a test. */
export const nowhere = { home: '/nowhere', variables: {} };
