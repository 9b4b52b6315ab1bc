import type { SummarizerView } from '../../../extension/protocol/view';

/** Says that a model writes better blocks, until the person follows or dismisses it. */
export class ModelHintState {
  isDismissed = $state(false);
  readonly #summarizer: () => SummarizerView | null;
  readonly #onDismiss: () => void;

  constructor(summarizer: () => SummarizerView | null, onDismiss: () => void) {
    this.#summarizer = summarizer;
    this.#onDismiss = onDismiss;
  }

  /** Blocks are written without a model, and it was not said before. */
  readonly isDue = $derived.by(() => this.#summarizer()?.usesModel === false && !this.isDismissed);

  dismiss = (): void => {
    this.isDismissed = true;
    this.#onDismiss();
  };

  /** Leads to a model. Once followed, the hint has said what it had to say. */
  follow = (lead: () => unknown): void => {
    if (this.isDue) this.dismiss();
    void lead();
  };
}
