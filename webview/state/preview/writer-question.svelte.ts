import type { Caller } from '../../../extension/protocol/rpc';
import type { SummarizerView, WriterOfferView } from '../../../extension/protocol/view';
import { type Loadable, load, loading, messageOf } from '../shared/loadable';

/** Asks who writes, at the first preview. The answer is a setting of the host. */
export class WriterQuestion {
  offers = $state.raw<Loadable<readonly WriterOfferView[]>>(loading);
  isAnswering = $state(false);
  failure = $state<string | null>(null);
  #picked = $state<string | null>(null);

  constructor(
    private readonly summarizer: () => SummarizerView | null,
    private readonly request: Caller['request'],
  ) {}

  readonly isDue = $derived.by(() => this.summarizer()?.isChosen === false);
  /** The id of the offer that is chosen on screen: the first one, until the person picks another. */
  readonly picked = $derived.by(() => this.#picked ?? (this.offers.kind === 'ready' ? this.offers.value[0]?.id : null));

  read = async (): Promise<void> => {
    this.offers = loading;
    this.offers = await load(this.request('read-writers', {}));
  };

  pick = (id: string): void => {
    this.#picked = id;
  };

  /** True if it is settled who writes. */
  answer = async (): Promise<boolean> => {
    const { picked } = this;
    if (picked === null || picked === undefined || this.isAnswering) return false;
    this.isAnswering = true;
    this.failure = null;
    try {
      return (await this.request('answer-writer', { id: picked })).isAnswered;
    } catch (error) {
      this.failure = messageOf(error);
      return false;
    } finally {
      this.isAnswering = false;
    }
  };
}
