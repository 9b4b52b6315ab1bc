import type { FileHandle } from 'node:fs/promises';
import { bytesAt } from '../platform/files/chunks';
import type { StoreFormat } from './adapter';

/** Bytes that suffice to recognise every store. */
const beginningBytes = 64 * 1024;

/** The format of a store file, by its first bytes. */
export async function recognisedStore(
  file: string,
  handle: FileHandle,
  stores: readonly StoreFormat[],
): Promise<StoreFormat | undefined> {
  const beginning = await bytesAt(handle, 0, beginningBytes);
  return stores.find((store) => store.recognises(file, beginning));
}
