import { ThreadOnDemand } from '../../../platform/threads/thread-link';
import type { ReadingContract, Readings, ResultPlaces } from './messages';

/** Frees the memory of results that are not displayed. */
const idleMs = 5 * 60_000;

/** The reading thread. It starts on demand and ends when idle. */
export class ReadingWorker {
  readonly #thread: ThreadOnDemand<ReadingContract>;

  /** `program`: the built `reading-thread.ts`. */
  constructor(program: string | URL) {
    this.#thread = new ThreadOnDemand({ program, idleMs });
  }

  async read<M extends keyof Readings>(
    places: ResultPlaces,
    method: M,
    params: Readings[M]['params'],
  ): Promise<Readings[M]['result']> {
    return (await this.#thread.request('read', { places, method, params })) as Readings[M]['result'];
  }

  /** Ends the thread and rejects pending requests. The next request starts a new thread. */
  dispose(): void {
    void this.#thread.dispose();
  }
}
