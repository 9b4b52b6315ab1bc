import type { AnswerOutcome } from '../requests/answer-record';
import type { KeptRequest } from '../requests/kept-requests';
import type { Notice } from './notices';
import type { BodyEnd, BodyObserver } from './observed';
import type { AnswerReader } from './protocol';

/** Keeps an answer while it passes. Nothing here throws or waits: an answer that is not kept is an answer all the same. */
export class KeptAnswer {
  #isOver = false;

  constructor(
    private readonly kept: KeptRequest,
    private readonly signal: AbortSignal,
    private readonly notify: (notice: Notice) => void,
  ) {}

  /** There is no answer, or none that says anything. */
  fail(): void {
    this.#end(this.signal.aborted ? 'cancelled' : 'failed');
  }

  /** Reads the body of the answer. */
  observer(reader: AnswerReader): BodyObserver {
    const decoder = new TextDecoder();
    return {
      chunk: (bytes) => this.#safely(() => this.#add(reader.read(decoder.decode(bytes, { stream: true })))),
      end: (how) => {
        let isWhole = false;
        this.#safely(() => {
          const end = reader.end();
          this.#add(end.pieces);
          isWhole = end.isWhole;
        });
        this.#end(isWhole ? 'answered' : this.#outcomeOf(how));
      },
    };
  }

  #add(pieces: ReturnType<AnswerReader['read']>): void {
    for (const piece of pieces) this.kept.answer?.add(piece);
  }

  /** Many clients hang up as soon as they have what they want. */
  #outcomeOf(how: BodyEnd): AnswerOutcome {
    return how === 'cancelled' || this.signal.aborted ? 'cancelled' : 'failed';
  }

  #end(outcome: AnswerOutcome): void {
    if (this.#isOver) return;
    this.#isOver = true;
    void (this.kept.answer?.end(outcome) ?? Promise.resolve())
      .catch((error: unknown) => this.#notKept(error))
      .finally(() => this.kept.done());
  }

  #safely(work: () => void): void {
    try {
      work();
    } catch (error) {
      this.#notKept(error);
    }
  }

  #notKept(error: unknown): void {
    this.notify({ kind: 'failed', message: `An answer could not be kept: ${failureText(error)}` });
  }
}

export function failureText(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
