import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Frees the memory that is no longer referenced. */
export async function collectGarbage(): Promise<void> {
  setFlagsFromString('--expose-gc');
  await new Promise(setImmediate);
  runInNewContext('gc')();
}
