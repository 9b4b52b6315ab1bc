import { rm } from 'node:fs/promises';
import * as v from 'valibot';
import { isRunning } from '../../platform/files/running-process';
import { readPrivate, writePrivate } from '../private-file';

const runningStrata = v.object({
  pid: v.number(),
  /** On the loopback interface, without a trailing slash. */
  url: v.pipe(v.string(), v.regex(/^http:\/\/127\.0\.0\.1:\d+$/)),
  token: v.pipe(v.string(), v.minLength(16)),
});

/** A Strata that answers plugins inside agents. */
export type RunningStrata = v.InferOutput<typeof runningStrata>;

/** Null if none is running. A Strata that was killed does not remove its file. */
export async function findRunning(path: string): Promise<RunningStrata | null> {
  const found = await readPrivate(path, runningStrata);
  return found !== null && isRunning(found.pid) ? found : null;
}

export async function announceRunning(path: string, running: RunningStrata): Promise<void> {
  await writePrivate(path, running);
}

/** Removes the file, unless another Strata has replaced it. */
export async function withdrawRunning(path: string, { token }: RunningStrata): Promise<void> {
  if ((await readPrivate(path, runningStrata))?.token === token) await rm(path, { force: true });
}
