import { withFile } from '../platform/files/with-file';
import { storeFormats } from './adapters';
import { addressText } from './address';
import { recognisedStore } from './recognised-store';

interface SessionInStore {
  readonly address: string;
  readonly title: string | null;
  readonly cwd: string | null;
  /** Milliseconds since the epoch; null if the store does not record it. */
  readonly modified: number | null;
}

/** The sessions of a file that contains many, newest first. Empty if it contains one, or is not a store. */
export async function sessionsIn(file: string): Promise<readonly SessionInStore[]> {
  const found = await withFile(file, async (handle) => {
    return { kind: 'looked', store: await recognisedStore(file, handle, storeFormats) } as const;
  });
  if (found.kind !== 'looked' || found.store === undefined) return [];
  const { sessions } = await found.store.list(file);
  return sessions
    .filter(({ key, isUnlisted }) => key !== null && !isUnlisted)
    .map(({ key, title, cwd, modified }) => ({
      address: addressText({ file, key }),
      title,
      cwd,
      modified: modified ?? null,
    }))
    .sort((one, other) => (other.modified ?? 0) - (one.modified ?? 0));
}
