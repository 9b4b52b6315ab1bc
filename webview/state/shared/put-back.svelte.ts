import type { ArtifactKind } from '../../../extension/engine/language/loss-report';
import { messageOf } from './loadable';

/** Where a person asked for it, so that it is answered there: the whole report, or one group of it. */
export type PutBackPlace = ArtifactKind | 'all';

/** Puts lost things back into a block, one request at a time: each gives the block another text. */
export class PutBack {
  /** What is being put back now. */
  texts = $state.raw<readonly string[]>([]);
  failure = $state.raw<{ readonly place: PutBackPlace; readonly message: string } | null>(null);
  readonly #send: (texts: readonly string[]) => Promise<unknown>;

  constructor(send: (texts: readonly string[]) => Promise<unknown>) {
    this.#send = send;
  }

  readonly isBusy = $derived(this.texts.length > 0);

  put = async (texts: readonly string[], place: PutBackPlace): Promise<void> => {
    if (this.isBusy || texts.length === 0) return;
    this.texts = texts;
    this.failure = null;
    try {
      await this.#send(texts);
    } catch (error) {
      this.failure = { place, message: messageOf(error) };
    } finally {
      this.texts = [];
    }
  };

  failureAt(place: PutBackPlace): string | null {
    return this.failure?.place === place ? this.failure.message : null;
  }
}
