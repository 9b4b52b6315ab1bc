import { join } from 'node:path';
import { dataFolder } from '../../platform/files/data-folder';

/** The npm package with the sentence encoder. */
export const encoderPackage = 'strata-context-encoder';

/** The file of the package that is loaded. */
export const encoderProgram = 'encoder.cjs';

type Environment = Parameters<typeof dataFolder>[0];

/** Where the editor installs it. The `strata` command that agents start finds it there too, so it is not the editor's own storage. */
export function encoderFolderIn(environment: Environment): string {
  return join(dataFolder(environment), 'strata', 'encoder');
}
