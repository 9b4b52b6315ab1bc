import type { CountTexts } from '../../engine/conversation/counting-ahead';
import { LocalizableError, localizable } from '../../engine/wording/localizable-text';
import { RequestThread } from '../request-thread';
import type { CountReply, CountRequest } from './messages';

/** The counting thread could not start, or ended before it replied. */
export class CountingThreadEnded extends LocalizableError {
  override name = 'CountingThreadEnded';
}

/** Frees the memory of the tokenizer's tables when there is nothing to count. */
const maxIdleMs = 30_000;

/** The counting thread. It starts on demand and ends when idle. */
export class CountingWorker {
  readonly #thread: RequestThread<Omit<CountRequest, 'id'>, CountReply>;

  constructor(file: string, idleTime = maxIdleMs) {
    const ended = (reason: string, cause?: unknown) =>
      new CountingThreadEnded(localizable('The counting thread has ended: {0}', reason), { cause });
    this.#thread = new RequestThread(file, { idleTime, ended });
  }

  get isRunning(): boolean {
    return this.#thread.isRunning;
  }

  /** Cancelling rejects at once; the thread still finishes the texts. */
  readonly count: CountTexts = async (texts, signal) => (await this.#thread.ask({ texts }, signal)).counts;

  /** Ends the thread and rejects pending requests. The next count starts a new thread. */
  dispose(): void {
    this.#thread.dispose();
  }
}
