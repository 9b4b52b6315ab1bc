import { join } from 'node:path';
import { dataFolder } from '../../platform/files/data-folder';

/** The npm package with the sentence encoder. */
export const encoderPackage = 'strata-context-encoder';

/** The file of the package that is loaded. */
export const encoderProgram = 'encoder.cjs';

type Environment = Parameters<typeof dataFolder>[0];

/**
 * The folder in which the editor installs it. It is not in the editor's own storage, so that the `strata` command, which agents start,
 * finds it too.
 */
export function encoderFolderIn(environment: Environment): string {
  return join(dataFolder(environment), 'strata', 'encoder');
}
