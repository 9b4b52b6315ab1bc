import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Program } from './launch';

/** Milliseconds for a program to say its version. */
const patience = 20_000;

/** Whether the installed launcher starts a Strata that says its version. Never rejects. */
export async function launcherAnswers(launcher: string, { node, variables }: Program): Promise<boolean> {
  try {
    const options = { timeout: patience, env: { ...process.env, ...variables } };
    const { stdout } = await promisify(execFile)(node, [launcher, '--version'], options);
    return /^\d+\.\d+/.test(stdout.trim());
  } catch {
    return false;
  }
}
