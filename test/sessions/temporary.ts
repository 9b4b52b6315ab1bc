import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach } from 'vitest';

/** Creates a new folder for each call, which is removed after the test. */
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

/** An empty environment, so that no agent of this machine affects a test. */
export const nowhere = { home: '/nowhere', variables: {} };
