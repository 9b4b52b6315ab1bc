import { Attempt } from './attempt.svelte';
import type { LossGroupKind } from './loss';

/** The part of the report where the user asked for it, and where the result is shown: all of it or one group. */
type PutBackPlace = LossGroupKind | 'all';

/** Puts what was lost back into a block, one request at a time, because each changes the text of the block. */
export class PutBack {
  readonly #putting = new Attempt();
  #place = $state.raw<PutBackPlace | null>(null);

  constructor(private readonly send: (texts: readonly string[]) => Promise<unknown>) {}

  readonly isBusy = $derived.by(() => this.#putting.isRunning);

  put = async (texts: readonly string[], place: PutBackPlace): Promise<void> => {
    if (this.isBusy || texts.length === 0) return;
    this.#place = place;
    await this.#putting.run(() => this.send(texts));
  };

  failureAt(place: PutBackPlace): string | null {
    return this.#place === place ? this.#putting.failure : null;
  }
}
