import type { CountTexts } from '../../engine/conversation/counting-ahead';
import { AskedThread } from '../asked-thread';
import type { CountReply, CountRequest } from './messages';

/** The counting thread could not start, or ended before it was done. */
export class CountingThreadEnded extends Error {
  override name = 'CountingThreadEnded';
}

/** Its tables take memory that a window which only follows does not need; in milliseconds. */
const idleBeforeEnd = 30_000;

/** A thread that counts. It starts when there is something to count, and ends when there was nothing for a while. */
export class CountingWorker {
  readonly #thread: AskedThread<Omit<CountRequest, 'id'>, CountReply>;

  constructor(file: string, idleTime = idleBeforeEnd) {
    const ended = (how: string, cause?: unknown) => new CountingThreadEnded(`The counting thread ${how}`, { cause });
    this.#thread = new AskedThread(file, { idleTime, ended });
  }

  get isRunning(): boolean {
    return this.#thread.isRunning;
  }

  /** Texts that are in the thread when they are cancelled are counted to their end, and nobody hears of it. */
  readonly count: CountTexts = async (texts, signal) => (await this.#thread.ask({ texts }, signal)).counts;

  /** Ends the thread; whoever still waits hears of it. Counting again starts another one. */
  dispose(): void {
    this.#thread.dispose();
  }
}
