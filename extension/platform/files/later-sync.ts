import { open } from 'node:fs/promises';

/** Milliseconds within which writes are flushed to disk together. */
const gatherMs = 500;

/** Flushes what was appended to a file to disk, a moment after it was written. */
export class LaterSync {
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly path: string,
    private readonly onFailure: (error: unknown) => void,
    private readonly afterMs = gatherMs,
  ) {}

  /**
   * Call this after a write. It does not keep the process running, because the system itself flushes the data of an
   * ended process.
   */
  written(): void {
    if (this.#timer !== undefined) return;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      void this.#sync().catch(this.onFailure);
    }, this.afterMs);
    this.#timer.unref();
  }

  async #sync(): Promise<void> {
    const file = await open(this.path, 'r+');
    try {
      await file.datasync();
    } finally {
      await file.close();
    }
  }
}
