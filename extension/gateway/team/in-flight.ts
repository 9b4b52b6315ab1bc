import type { IncomingMessage } from 'node:http';
import { maxBytes } from '../received-body';

/** Bodies of requests that are being read or answered, in bytes. */
export class BodiesInFlight {
  #bytes = 0;
  #requests = 0;

  constructor(private readonly most: number) {}

  get requests(): number {
    return this.#requests;
  }

  /** Returns what ends the request; null if there is no room for it. One request alone always has room. */
  enter({ headers }: Pick<IncomingMessage, 'headers'>): (() => void) | null {
    const bytes = sizeOf(headers);
    if (this.#requests > 0 && this.#bytes + bytes > this.most) return null;
    this.#bytes += bytes;
    this.#requests += 1;
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      this.#bytes -= bytes;
      this.#requests -= 1;
    };
  }
}

/** A body of unknown length may have as much as is read of one; of a longer one no more is kept in memory. */
function sizeOf({ 'content-length': length, 'transfer-encoding': encoding }: IncomingMessage['headers']): number {
  if (length !== undefined) return Math.min(Number(length), maxBytes);
  return encoding === undefined ? 0 : maxBytes;
}
