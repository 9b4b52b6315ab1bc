import { open } from 'node:fs/promises';

/** Writes within so many milliseconds are brought to the disk together. */
const gatherMs = 500;

/** Brings what was appended to a file from the system's memory to the disk, a moment after it was written. */
export class LaterSync {
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly path: string,
    private readonly onFailure: (error: unknown) => void,
    private readonly afterMs = gatherMs,
  ) {}

  /** Call after a write. Does not keep the process running: the system writes what a process leaves behind. */
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
