import { type LocalizableText, localizable, wordingOf } from '../../engine/wording/localizable-text';
import type { ChatPiece } from '../../models/chat-model';
import type { AnswerOutcome, AnswerQueue, OwnModel, RecordAnswer, RecordedRequest } from './recording';
import type { TooLong } from './too-long';

/** Stores the answer to a request until it ends. Never rejects, because the client gets its answer in any case. */
export class PassingAnswer {
  readonly #record: RecordAnswer;
  #isOver = false;
  #own: ((isCached: boolean) => OwnModel) | undefined;
  /** Its provider reported that it read the request from its cache, or wrote it there. */
  #isCached = false;

  constructor(
    private readonly kept: Pick<RecordedRequest, 'answer' | 'done' | 'wantsOwnModel' | 'wantsUsage' | 'learn'>,
    private readonly signal: AbortSignal,
    private readonly notify: (message: LocalizableText) => void,
    queue?: AnswerQueue,
  ) {
    const isRecorded = kept.answer !== null;
    this.#record = (isRecorded ? queue?.beginAnswer() : undefined) ?? ((record) => record());
  }

  /** Whether `writesWith` is to be called. */
  get wantsOwnModel(): boolean {
    return this.kept.wantsOwnModel ?? false;
  }

  /** Whether a report of its usage is worth asking for. */
  get wantsUsage(): boolean {
    return this.kept.wantsUsage ?? false;
  }

  /** The model that answers may be asked for blocks afterwards. `isCached`: its provider has the request in its cache. */
  writesWith(own: (isCached: boolean) => OwnModel): void {
    this.#own = own;
  }

  add(pieces: readonly ChatPiece[]): void {
    if (this.#isOver) return;
    this.safely(() => {
      for (const piece of pieces) {
        if (piece.type === 'usage') this.#isCached = piece.usage.cacheRead + piece.usage.cacheWrite > 0;
        this.kept.answer?.add(piece);
      }
    });
  }

  /** Reports a failure to read the answer, and does not throw. */
  safely(work: () => void): void {
    try {
      work();
    } catch (error) {
      this.#notKept(error);
    }
  }

  /** There is no answer, or it is incomplete. Stores what was received. */
  async failed(): Promise<void> {
    await this.end(this.signal.aborted ? 'cancelled' : 'failed');
  }

  /** The provider refused the request as too long. True if a shorter one is to be sent, which is recorded separately. Never rejects. */
  async refused(tooLong: TooLong): Promise<boolean> {
    await this.failed();
    try {
      return !this.signal.aborted && ((await this.kept.learn?.(tooLong)) ?? false);
    } catch (error) {
      this.#notKept(error);
      return false;
    }
  }

  async end(outcome: AnswerOutcome): Promise<void> {
    if (this.#isOver) return;
    this.#isOver = true;
    try {
      await this.#record(async () => await this.kept.answer?.end(outcome));
    } catch (error) {
      this.#notKept(error);
    } finally {
      this.kept.done(outcome === 'answered' ? this.#own?.(this.#isCached) : undefined);
    }
  }

  #notKept(error: unknown): void {
    this.notify(answerNotKept(error));
  }
}

function answerNotKept(error: unknown): LocalizableText {
  return localizable('An answer could not be kept: {0}', wordingOf(error));
}
