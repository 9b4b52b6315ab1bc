import { access, constants } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import type { ModelCommand } from './model-command';
import { presets } from './presets';

type Environment = Readonly<Record<string, string | undefined>>;

/** The agents whose programs are on `PATH`. Starts none of them. */
export async function installedPresets(environment: Environment = process.env): Promise<ModelCommand[]> {
  const found = await Promise.all(presets.map((preset) => isOnPath(preset.program, environment)));
  return presets.filter((_, at) => found[at]);
}

async function isOnPath(program: string, { PATH = '', PATHEXT = '' }: Environment): Promise<boolean> {
  const endings = process.platform === 'win32' ? PATHEXT.split(';') : [''];
  const files = PATH.split(delimiter)
    .filter((folder) => folder !== '')
    .flatMap((folder) => endings.map((ending) => join(folder, `${program}${ending}`)));
  const runnable = await Promise.all(files.map(isRunnable));
  return runnable.includes(true);
}

async function isRunnable(file: string): Promise<boolean> {
  try {
    await access(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
