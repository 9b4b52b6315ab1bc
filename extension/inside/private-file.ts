import { mkdir, readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import * as v from 'valibot';
import { privateFolder } from '../platform/files/private-modes';
import { replaceFile } from '../platform/files/replace-file';
import { systemErrorCode } from '../platform/files/with-file';

/** Writes a file that only this person can read. Readers see the old content or the new one, never a part. */
export async function writePrivate(path: string, value: unknown): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: privateFolder });
  await replaceFile(path, JSON.stringify(value));
}

/** Null if the file does not exist or does not have this shape. */
export async function readPrivate<Schema extends v.GenericSchema>(
  path: string,
  schema: Schema,
): Promise<v.InferOutput<Schema> | null> {
  try {
    const parsed = v.safeParse(schema, JSON.parse(await readFile(path, 'utf8')));
    return parsed.success ? parsed.output : null;
  } catch (error) {
    if (error instanceof SyntaxError || systemErrorCode(error) === 'ENOENT') return null;
    throw error;
  }
}
