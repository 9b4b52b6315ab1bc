import { mkdir } from 'node:fs/promises';
import { resolve } from 'node:path';
import { privateFolder } from '../../platform/files/private-modes';
import { CommandFailed } from '../command-failed';

/** The folder given by `--out`; created if it does not exist. */
export async function outFolder(out: string): Promise<string> {
  const folder = resolve(out);
  try {
    await mkdir(folder, { recursive: true, mode: privateFolder });
  } catch (cause) {
    throw new CommandFailed(
      `--out ${folder} cannot be used: ${cause instanceof Error ? cause.message : String(cause)}`,
    );
  }
  return folder;
}
