/**
 * Long work in steps. Each `yield` says what was done since the one before, in UTF-16 units of text that cost as much.
 * The caller decides whether others have their turn in between: `atOnce` or `inSlices`.
 */
export type Steps<Result> = Generator<number, Result, void>;

/** Cost of a message, a record or a property, besides its text. */
export const costOfOne = 512;

/** Work between two pauses: some milliseconds on a slow machine. One step may be longer. */
export const sliceCost = 262_144;

export interface Slicing {
  readonly signal?: AbortSignal;
  /** Others have their turn; absent: whatever waits in the event loop. */
  readonly pause?: () => Promise<void>;
}

export function atOnce<Result>(steps: Steps<Result>): Result {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}

/** Short work is done without a pause. Rejects with the signal's reason after a pause. */
export async function inSlices<Result>(
  steps: Steps<Result>,
  { signal, pause = othersHadTheirTurn }: Slicing = {},
): Promise<Result> {
  let done = 0;
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
    done += step.value;
    if (done < sliceCost) continue;
    done = 0;
    await pause();
    signal?.throwIfAborted();
  }
}

export function othersHadTheirTurn(): Promise<void> {
  return new Promise((resolve) => immediately(resolve));
}

/** A timer would wait a millisecond or more each time; browsers have nothing else. */
const immediately: (work: () => void) => void = globalThis.setImmediate ?? ((work: () => void) => setTimeout(work, 0));
