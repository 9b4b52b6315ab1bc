import type { Caller } from '../../../extension/protocol/rpc';
import type { SummarizerView, WriterOfferView } from '../../../extension/protocol/view';
import { Attempt } from '../shared/attempt.svelte';
import { type Loadable, load, loading } from '../shared/loadable';

/** Asks who writes, at the first preview. The answer is a setting of the host. */
export class WriterQuestion {
  offers = $state.raw<Loadable<readonly WriterOfferView[]>>(loading);
  readonly answering = new Attempt();
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
    const id = this.picked;
    let isAnswered = false;
    if (id == null) return false;
    await this.answering.run(async () => {
      ({ isAnswered } = await this.request('answer-writer', { id }));
    });
    return isAnswered;
  };
}
