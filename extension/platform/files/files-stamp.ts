import { stat } from 'node:fs/promises';
import { systemErrorCode } from './with-file';

/** Differs whenever one of these files was written, made, replaced or removed. */
export async function stampOf(files: readonly string[]): Promise<string> {
  return JSON.stringify(await Promise.all(files.map(stampOfFile)));
}

async function stampOfFile(file: string): Promise<unknown> {
  try {
    const { ino, size, mtimeMs } = await stat(file);
    return [ino, size, mtimeMs];
  } catch (error) {
    // The reader of the file reports the reason.
    return systemErrorCode(error);
  }
}
