import { type LocalizableText, localizable, wordingOf } from '../../engine/wording/localizable-text';
import type { ChatPiece } from '../../models/chat-model';
import type { AnswerOutcome, KeptRequest } from './keeping';

/** The answer to a request, until it has ended once. Nothing here rejects: an answer that is not kept is an answer all the same. */
export class KeptAnswer {
  #isOver = false;

  constructor(
    private readonly kept: Pick<KeptRequest, 'answer' | 'done'>,
    private readonly signal: AbortSignal,
    private readonly notify: (message: LocalizableText) => void,
  ) {}

  add(pieces: readonly ChatPiece[]): void {
    if (this.#isOver) return;
    this.safely(() => {
      for (const piece of pieces) this.kept.answer?.add(piece);
    });
  }

  /** What goes wrong in reading an answer is told, and goes no further. */
  safely(work: () => void): void {
    try {
      work();
    } catch (error) {
      this.#notKept(error);
    }
  }

  /** There is no answer, or it broke off. What was said so far is kept. */
  async failed(): Promise<void> {
    await this.end(this.signal.aborted ? 'cancelled' : 'failed');
  }

  async end(outcome: AnswerOutcome): Promise<void> {
    if (this.#isOver) return;
    this.#isOver = true;
    try {
      await this.kept.answer?.end(outcome);
    } catch (error) {
      this.#notKept(error);
    } finally {
      this.kept.done();
    }
  }

  #notKept(error: unknown): void {
    this.notify(answerNotKept(error));
  }
}

export function answerNotKept(error: unknown): LocalizableText {
  return localizable('An answer could not be kept: {0}', wordingOf(error));
}
