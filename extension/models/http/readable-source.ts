import type { Readable } from 'node:stream';
import type { ByteSource } from './answer';

/** The bytes of a stream of Node.js. A read begins only after the one before has ended. */
export class ReadableSource implements ByteSource {
  #changed: () => void = () => undefined;
  #isCancelled = false;

  constructor(private readonly stream: Readable) {
    for (const event of ['readable', 'end', 'error', 'close']) stream.on(event, () => this.#changed());
  }

  async read(): Promise<ReadableStreamReadResult<Uint8Array<ArrayBuffer>>> {
    const { stream } = this;
    for (;;) {
      if (this.#isCancelled) return { done: true, value: undefined };
      const value: Buffer<ArrayBuffer> | null = stream.read();
      if (value !== null) return { done: false, value };
      if (stream.readableEnded) return { done: true, value: undefined };
      if (stream.destroyed) throw stream.errored ?? new Error('it closed the connection');
      await new Promise<void>((resolve) => {
        this.#changed = resolve;
      });
    }
  }

  async cancel(): Promise<void> {
    this.#isCancelled = true;
    this.stream.destroy();
  }
}
