import type { KeptRequest } from '../../middleware/requests/keeping';

/** Answers that are not stored yet. A client may have received all of its answer before that. */
export class OpenAnswers {
  readonly #open = new Set<Promise<void>>();

  /** The same request, whose answer is waited for. */
  watched(kept: KeptRequest): KeptRequest {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#open.add(promise);
    const { done: ended } = kept;
    const done = () => {
      ended();
      this.#open.delete(promise);
      resolve();
    };
    return { ...kept, done };
  }

  /** Resolves when all answers are stored, or are known not to be. */
  async stored(): Promise<void> {
    await Promise.all(this.#open);
  }
}
