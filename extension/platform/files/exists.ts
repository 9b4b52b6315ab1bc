import { access } from 'node:fs/promises';
import { systemErrorCode } from './with-file';

/** Whether there is anything at this path. Rejects if that cannot be determined. */
export async function exists(path: string): Promise<boolean> {
  try {
    await access(path);
    return true;
  } catch (error) {
    if (systemErrorCode(error) === 'ENOENT') return false;
    throw error;
  }
}
