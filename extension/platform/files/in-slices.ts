import type { LongWork } from '../../engine/conversation/long-work';

/** Work between two pauses: some milliseconds on a slow machine. One piece of it may be longer. */
export const sliceCost = 262_144;

interface Slicing {
  readonly signal?: AbortSignal;
  /** Lets other work run. Absent: yields to the event loop. */
  readonly pause?: () => Promise<void>;
}

/** Short work is done without a pause. Rejects with the signal's reason after a pause. */
export async function inSlices<Result>(
  work: LongWork<Result>,
  { signal, pause = othersHadTheirTurn }: Slicing = {},
): Promise<Result> {
  let done = 0;
  for (;;) {
    const step = work.next();
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

/** A timer would wait a millisecond or more each time, but browsers have nothing else. */
const immediately: (work: () => void) => void = globalThis.setImmediate ?? ((work: () => void) => setTimeout(work, 0));
