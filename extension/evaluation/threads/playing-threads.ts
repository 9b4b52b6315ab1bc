import { ThreadLink } from '../../platform/threads/thread-link';
import type { PlayUnit } from '../run-evaluation';
import type { PlayingContract, PlayingStart } from './messages';

/** A pool of threads that play units without a model. Threads start on demand. */
export class PlayingThreads {
  readonly #idle: ThreadLink<PlayingContract>[] = [];
  readonly #all = new Set<ThreadLink<PlayingContract>>();

  constructor(
    /** Built program of `playing-thread.ts`. */
    private readonly program: string | URL,
    private readonly start: PlayingStart,
  ) {}

  /** Uses one thread per concurrent call. Cancelling ends the thread, because a unit in play cannot be interrupted. */
  readonly play: PlayUnit = async (unit, signal) => {
    signal.throwIfAborted();
    const thread = this.#idle.pop() ?? this.#started();
    try {
      const played = await thread.request('play', unit, { signal });
      this.#idle.push(thread);
      return played;
    } catch (error) {
      this.#all.delete(thread);
      void thread.dispose();
      throw error;
    }
  };

  #started(): ThreadLink<PlayingContract> {
    const { program, start } = this;
    const thread = new ThreadLink<PlayingContract>({ program, start, holdsProcess: true });
    this.#all.add(thread);
    return thread;
  }

  async dispose(): Promise<void> {
    await Promise.all([...this.#all].map((thread) => thread.dispose()));
  }
}
