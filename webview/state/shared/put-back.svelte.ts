import { messageOf } from './loadable';
import type { LossGroupKind } from './loss';

/** The part of the report where the user asked for it, and where the result is shown: all of it or one group. */
type PutBackPlace = LossGroupKind | 'all';

/** Puts what was lost back into a block, one request at a time, because each changes the text of the block. */
export class PutBack {
  /** The texts that are currently being put back. */
  texts = $state.raw<readonly string[]>([]);
  failure = $state.raw<{ readonly place: PutBackPlace; readonly message: string } | null>(null);

  constructor(private readonly send: (texts: readonly string[]) => Promise<unknown>) {}

  readonly isBusy = $derived(this.texts.length > 0);

  put = async (texts: readonly string[], place: PutBackPlace): Promise<void> => {
    if (this.isBusy || texts.length === 0) return;
    this.texts = texts;
    this.failure = null;
    try {
      await this.send(texts);
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
