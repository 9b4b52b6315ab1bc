/** Milliseconds; several times as long as a call takes on a local disk. Only what takes longer counts. */
const usualMs = 1;

/** Milliseconds that calls may hold this thread before they use the pool, and the share of the time that they may hold it on average. */
const mostMs = 20;
const mostShare = 0.05;

/**
 * Calls of the file system on this thread. A call in Node's pool makes the caller wait for two changes of thread, which take longer than a
 * local disk. If calls hold the thread for long (a network disk, a full write cache), most of them are made in the pool.
 */
export class ShortCalls {
  /** Milliseconds for which calls held this thread, as of the call that began last. Falls with time. */
  #heldMs = 0;
  #began = 0;

  /** `clock`: in milliseconds. */
  constructor(private readonly clock: () => number) {}

  /** `inPool` is called if `here` returns undefined or throws, so it must work after a failure of `here`, and say why it fails. */
  async call<Result>(here: () => Result | undefined, inPool: () => Promise<Result>): Promise<Result> {
    const began = this.clock();
    this.#heldMs = Math.max(0, this.#heldMs - (began - this.#began) * mostShare);
    this.#began = began;
    const result = this.#heldMs > mostMs ? undefined : this.#timed(here);
    return result === undefined ? await inPool() : result;
  }

  #timed<Result>(here: () => Result | undefined): Result | undefined {
    try {
      return here();
    } catch {
      return undefined;
    } finally {
      this.#heldMs += Math.max(0, this.clock() - this.#began - usualMs);
    }
  }
}

/** All of this process, which has one thread for them. */
export const shortCalls = new ShortCalls(() => performance.now());
