import { setTimeout as delay } from 'node:timers/promises';
import { CommandFailed } from '../../command-failed';
import { errorText, type JobOutcome, type QueuedRun, type RunQueue } from './run-queue';

export interface Asking {
  readonly queue: RunQueue;
  readonly signal: AbortSignal;
  readonly onNotice: (message: string) => void;
}

/** In milliseconds. */
const waits = { betweenLooks: 500, untilGivenUp: 60_000 };

/**
 * Reports the outcome of each job of a run, by id, until none is left, and then removes the run from the queue. Rejects with the signal's
 * reason, or with `CommandFailed`.
 */
export async function collectJobs<Item>(
  run: QueuedRun,
  jobs: ReadonlyMap<string, Item>,
  settle: (item: Item, outcome: JobOutcome) => Promise<void>,
  asking: Asking,
): Promise<void> {
  const { queue, signal } = asking;
  const left = new Map(jobs);
  while (left.size > 0) {
    signal.throwIfAborted();
    const { jobs: settled, isEmpty } = await persistently(() => queue.settled(run), asking);
    if (isEmpty) throw new CommandFailed(`${left.size} units are no longer on the queue; run the same command again`);
    for (const { id, outcome } of settled) {
      const item = left.get(id);
      if (item !== undefined && left.delete(id)) await settle(item, outcome);
    }
    const ids = settled.map(({ id }) => id);
    await persistently(() => queue.forget(run, ids), asking);
    if (settled.length === 0) await delay(waits.betweenLooks, undefined, { signal }).catch(() => undefined);
  }
  await persistently(() => queue.remove(run), asking);
}

/** A run may take days, so it survives a restart of the database. */
export async function persistently<T>(ask: () => Promise<T>, { queue, signal, onNotice }: Asking): Promise<T> {
  const until = Date.now() + waits.untilGivenUp;
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await ask();
    } catch (error) {
      const trouble = `the queue at ${queue.place} cannot be reached: ${errorText(error)}`;
      if (Date.now() > until)
        throw new CommandFailed(`${trouble}; results so far are kept, and the same command continues`);
      if (attempt === 1) onNotice(`${trouble}; trying for a minute`);
    }
    await delay(waits.betweenLooks, undefined, { signal }).catch(() => undefined);
    signal.throwIfAborted();
  }
}
