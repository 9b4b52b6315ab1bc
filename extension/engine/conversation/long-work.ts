/**
 * Work that may take long. Each `yield` says what was done since the one before, in UTF-16 units of text that cost as much to
 * read. The caller decides whether others have their turn in between: `atOnce`, or `inSlices` where there is an event loop.
 */
export type LongWork<Result> = Generator<number, Result, void>;

/** Cost of a message, a record or a property, besides its text. */
export const costOfOne = 512;

/** Counting a text's tokens costs this many times as much as reading it. */
export const costOfCounting = 20;

export function atOnce<Result>(work: LongWork<Result>): Result {
  for (;;) {
    const step = work.next();
    if (step.done) return step.value;
  }
}

/** Wraps short work where long work is expected. */
// biome-ignore lint/correctness/useYield: nothing is worth a pause
export function* shortWork<Result>(work: () => Result): LongWork<Result> {
  return work();
}

/** Rejects as soon as the signal aborts. */
export function orAborted(work: Promise<void> | undefined, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort, { once: true });
    void Promise.resolve(work)
      .then(resolve, reject)
      .finally(() => signal.removeEventListener('abort', abort));
  });
}
