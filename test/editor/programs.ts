import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { projectFolder } from './paths.ts';

/** Installs a stand-in for the program `claude` where the shells of this home find it. */
export async function bringClaude(home: string): Promise<void> {
  await cp(join(projectFolder, 'test/editor/stand-in-claude.sh'), join(home, 'bin/claude'));
}
