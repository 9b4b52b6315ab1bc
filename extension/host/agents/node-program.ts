import { execFile } from 'node:child_process';
import { realpath } from 'node:fs/promises';
import { promisify } from 'node:util';
import { programOf } from '../../inside/setup/found-agents';
import type { Program } from '../../inside/setup/launch';
import type { AgentEnvironment } from '../../platform/files/environment';

/** As `engines.node` in package.json. */
const oldestMajor = 22;

/** The Node.js that agents start Strata with: the one on the search path if it is new enough, else the editor's own. */
export async function nodeProgram(file: string, environment: AgentEnvironment): Promise<Program> {
  const node = await programOf({ programs: ['node'] }, environment);
  if (node !== null && (await isNewEnough(node))) return { node: await realpath(node), variables: {}, file };
  return { node: process.execPath, variables: { ELECTRON_RUN_AS_NODE: '1' }, file };
}

async function isNewEnough(node: string): Promise<boolean> {
  try {
    const { stdout } = await promisify(execFile)(node, ['--version'], { timeout: 10_000 });
    return Number(/^v(\d+)/.exec(stdout)?.[1] ?? 0) >= oldestMajor;
  } catch {
    return false;
  }
}
