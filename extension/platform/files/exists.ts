import { access } from 'node:fs/promises';
import { orIfMissing } from './with-file';

/** Whether there is anything at this path. Rejects if that cannot be determined. */
export function exists(path: string): Promise<boolean> {
  return orIfMissing(
    access(path).then(() => true),
    false,
  );
}
