import { mkdir } from 'node:fs/promises';
import { resolve } from 'node:path';
import { CommandFailed } from '../command-failed';

/** The folder of `--out`, made where it is not there. */
export async function outFolder(out: string): Promise<string> {
  const folder = resolve(out);
  try {
    await mkdir(folder, { recursive: true });
  } catch (cause) {
    throw new CommandFailed(
      `--out ${folder} cannot be used: ${cause instanceof Error ? cause.message : String(cause)}`,
    );
  }
  return folder;
}
