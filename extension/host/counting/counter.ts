import type { CountTexts } from '../../engine/conversation/counting-ahead';
import { CountingThreadEnded, CountingWorker } from './counting-worker';
import { countInSlices } from './in-slices';

export interface CountingLog {
  warn(message: string): void;
}

/** Counts tokens in a thread. After the thread fails, counts in slices on the host's thread. */
export class Counter {
  readonly #worker: CountingWorker;
  readonly #onHost = countInSlices(async () => (await import('../../engine/conversation/tokenizer')).countWithO200k);
  #workerFails = false;
  #disposed = false;

  constructor(
    threadFile: string,
    private readonly log: CountingLog,
  ) {
    this.#worker = new CountingWorker(threadFile);
  }

  readonly count: CountTexts = async (texts, signal) => {
    if (this.#workerFails) return await this.#onHost(texts, signal);
    try {
      return await this.#worker.count(texts, signal);
    } catch (error) {
      if (signal.aborted || this.#disposed || !(error instanceof CountingThreadEnded)) throw error;
      this.#fallBack(error);
      return await this.#onHost(texts, signal);
    }
  };

  #fallBack(error: CountingThreadEnded): void {
    if (!this.#workerFails) this.log.warn(`${error.message}. Tokens are counted on the extension host from now on.`);
    this.#workerFails = true;
  }

  dispose(): void {
    this.#disposed = true;
    this.#worker.dispose();
  }
}
