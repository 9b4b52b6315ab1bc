import { type RequestOptions, ThreadLink } from '../../platform/threads/thread-link';
import type { WorkContract } from './messages';

/** Milliseconds that a thread gets to finish after a stop before it is ended. */
const graceMs = 5_000;

export interface WorkOptions extends Omit<RequestOptions<WorkContract<unknown, unknown>>, 'graceMs'> {
  readonly signal: AbortSignal;
}

/**
 * Runs one piece of work in a thread. `program` is a built program that serves `work`. Settles after the thread has
 * ended, so that nothing is written afterwards.
 */
export async function workInThread<Start, Result>(
  program: string | URL,
  start: Start,
  options: WorkOptions,
): Promise<Result> {
  options.signal.throwIfAborted();
  const thread = new ThreadLink<WorkContract<Start, Result>>({ program, holdsProcess: true });
  try {
    return await thread.request('work', start, { ...options, graceMs });
  } finally {
    await thread.dispose();
  }
}
