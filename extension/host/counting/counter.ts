import { setImmediate as othersHadTheirTurn } from 'node:timers/promises';
import { type CountTexts, piecesOfText } from '../../engine/conversation/counting-ahead';
import { type CountTokens, maxCountedLength } from '../../engine/conversation/tokens';
import type { ThreadContract } from '../../platform/threads/messages';
import { ThreadEnded } from '../../platform/threads/thread-ended';
import { ThreadOnDemand } from '../../platform/threads/thread-link';

export interface CountingContract extends ThreadContract {
  readonly requests: {
    /** Result: tokens of each text, in the order of the texts. */
    readonly count: { params: readonly string[]; result: readonly number[] };
  };
}

/** Frees the memory of the tokenizer's tables when there is nothing to count. */
const idleMs = 30_000;

/** Counts tokens in a thread. After the thread fails, counts in slices on the host's thread. */
export class Counter {
  readonly #thread: ThreadOnDemand<CountingContract>;
  readonly #onHost = countInSlices(async () => (await import('../../engine/conversation/tokenizer')).countWithO200k);
  #threadFails = false;
  #disposed = false;

  constructor(
    /** The built `counting-thread.ts`. */
    program: string,
    private readonly log: { warn(message: string): void },
  ) {
    this.#thread = new ThreadOnDemand({ program, idleMs });
  }

  readonly count: CountTexts = async (texts, signal) => {
    if (this.#threadFails) return await this.#onHost(texts, signal);
    try {
      return await this.#thread.request('count', texts, { signal });
    } catch (error) {
      if (signal.aborted || this.#disposed || !(error instanceof ThreadEnded)) throw error;
      this.#fallBack(error);
      return await this.#onHost(texts, signal);
    }
  };

  #fallBack({ message }: ThreadEnded): void {
    if (!this.#threadFails) this.log.warn(`${message} Tokens are counted on the extension host from now on.`);
    this.#threadFails = true;
  }

  dispose(): void {
    this.#disposed = true;
    void this.#thread.dispose();
  }
}

/** UTF-16 units counted before yielding to the event loop: some milliseconds of work. */
const sliceLength = maxCountedLength;

/** Counts on the current thread in small slices. */
export function countInSlices(loadTokenizer: () => Promise<CountTokens>): CountTexts {
  return async (texts, signal) => {
    const countText = await loadTokenizer();
    const counts: number[] = [];
    let sinceTurn = 0;
    for (const text of texts) {
      let tokens = 0;
      for (const piece of piecesOfText(text, sliceLength)) {
        signal.throwIfAborted();
        tokens += countText(piece);
        sinceTurn += piece.length;
        if (sinceTurn < sliceLength) continue;
        await othersHadTheirTurn();
        sinceTurn = 0;
      }
      counts.push(tokens);
    }
    return counts;
  };
}
