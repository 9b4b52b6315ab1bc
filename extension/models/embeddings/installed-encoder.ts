import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { Encoder } from './encoder';
import { notInstalled } from './encoder-missing';
import { encoderFolderIn, encoderPackage, encoderProgram } from './encoder-package';

/** Replaces `encoder.ts` in every bundle: loads the package that is installed next to it, or the one that the editor installed. */
export async function loadEncoder(): Promise<Encoder> {
  const file = besideUs() ?? byTheEditor();
  if (file === null) throw notInstalled();
  return await createRequire(import.meta.url)(file).loadEncoder();
}

/** Searches as Node.js does for packages: in `node_modules` of this file's folder or one above. */
function besideUs(): string | null {
  try {
    return createRequire(import.meta.url).resolve(encoderPackage);
  } catch {
    return null;
  }
}

function byTheEditor(): string | null {
  const file = join(encoderFolderIn({ home: homedir(), variables: process.env }), encoderProgram);
  return existsSync(file) ? file : null;
}
