import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { LocalizableError, localizable } from '../../engine/wording/localizable-text';
import type { PlayedUnit } from '../measure/play';
import type { UnitId } from '../measure/results';
import type { PlayUnit } from '../run-evaluation';
import type { PlayReply, PlayRequest, ThreadStart } from './messages';

/** A thread ended before it finished its unit. */
export class PlayingThreadEnded extends LocalizableError {
  override name = 'PlayingThreadEnded';
}

/** A pool of threads that play units without a model. Threads start on demand. */
export class PlayingThreads {
  readonly #idle: Worker[] = [];
  readonly #all = new Set<Worker>();

  constructor(
    /** Built program of `playing-thread.ts`. */
    private readonly program: string | URL,
    private readonly start: ThreadStart,
  ) {}

  /** Uses one thread per concurrent call. */
  readonly play: PlayUnit = async (unit, signal) => {
    signal.throwIfAborted();
    const worker = this.#idle.pop() ?? this.#started();
    try {
      const played = await playIn(worker, unit, signal);
      this.#idle.push(worker);
      return played;
    } catch (error) {
      this.#all.delete(worker);
      void worker.terminate();
      throw error;
    }
  };

  #started(): Worker {
    const worker = new Worker(this.program, { workerData: this.start });
    this.#all.add(worker);
    return worker;
  }

  async dispose(): Promise<void> {
    await Promise.all([...this.#all].map((worker) => worker.terminate()));
  }
}

async function playIn(worker: Worker, unit: UnitId, signal: AbortSignal): Promise<PlayedUnit> {
  const settled = new AbortController();
  const ended = once(worker, 'exit', { signal: settled.signal }).then(([code]) => {
    throw new PlayingThreadEnded(localizable('A thread of the evaluation ended with code {0}.', code));
  });
  const replied = once(worker, 'message', { signal: AbortSignal.any([settled.signal, signal]) });
  try {
    worker.postMessage({ unit } satisfies PlayRequest);
    const [reply]: PlayReply[] = await Promise.race([replied, ended]);
    if (reply?.kind === 'played') return { line: reply.line, texts: new Map(reply.texts) };
    throw new PlayingThreadEnded(
      localizable('A unit of the evaluation could not be played: {0}', String(reply?.message)),
    );
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  } finally {
    settled.abort();
    await Promise.allSettled([ended, replied]);
  }
}
