import type { Caller } from '../../../extension/protocol/rpc';
import type { ComparisonRow, SummarizerView, WritingCostView } from '../../../extension/protocol/view';
import { t } from '../../l10n';
import { formatTokens } from '../shared/format';
import { type Loadable, load, loading } from '../shared/loadable';

/** A strategy's run with a model. */
interface WrittenRun {
  /** The model that was chosen when it was asked for. */
  readonly writer: string;
  readonly result: Loadable<ComparisonRow>;
}

type ByStrategy<T> = Readonly<Record<string, T>>;

/** Compared strategies as written by the chosen model, each on request, with the cost beforehand. */
export class WrittenRuns {
  #costs = $state.raw<ByStrategy<Loadable<WritingCostView | null>>>({});
  #runs = $state.raw<ByStrategy<WrittenRun>>({});
  /** Numbers of the newest requests; answers to older ones are dropped. */
  #read = 0;
  #asked = 0;

  constructor(
    private readonly summarizer: () => SummarizerView | null,
    private readonly request: Caller['request'],
  ) {}

  /** The chosen model; null if none is. */
  readonly writer: string | null = $derived.by(() => {
    const summarizer = this.summarizer();
    return summarizer?.usesModel ? summarizer.label : null;
  });
  readonly isWriting = $derived.by(() => Object.values(this.#runs).some(({ result }) => result.kind === 'loading'));

  runOf(strategy: string): WrittenRun | null {
    return this.#runs[strategy] ?? null;
  }

  /** Null while it is not known, and if no model is chosen or would be asked. */
  costOf(strategy: string): Loadable<WritingCostView> | null {
    const cost = this.#costs[strategy];
    if (this.writer === null || !cost || cost.kind === 'loading') return null;
    if (cost.kind === 'failed') return cost;
    return cost.value && { kind: 'ready', value: cost.value };
  }

  /** Call when strategies are compared, and when another model is chosen. */
  async readCosts(strategies: readonly string[]): Promise<void> {
    this.#read += 1;
    const read = this.#read;
    this.#costs = {};
    if (this.writer === null) return;
    const costs = await Promise.all(strategies.map((strategy) => this.#readCost(strategy)));
    if (read === this.#read) this.#costs = Object.fromEntries(costs);
  }

  write = async (strategy: string): Promise<void> => {
    const { writer } = this;
    if (writer === null || this.isWriting) return;
    this.#asked += 1;
    const asked = this.#asked;
    this.#put(strategy, { writer, result: loading });
    const result = await load(this.request('write-compared', { strategy }));
    if (asked === this.#asked) this.#put(strategy, { writer, result });
  };

  /** Keeps what is written. */
  stop(): void {
    this.#asked += 1;
    this.#runs = Object.fromEntries(Object.entries(this.#runs).filter(([, { result }]) => result.kind !== 'loading'));
  }

  reset(): void {
    this.#read += 1;
    this.#asked += 1;
    this.#costs = {};
    this.#runs = {};
  }

  async #readCost(strategy: string): Promise<[string, Loadable<WritingCostView | null>]> {
    return [strategy, await load(this.request('writing-cost', { strategy }))];
  }

  #put(strategy: string, run: WrittenRun): void {
    this.#runs = { ...this.#runs, [strategy]: run };
  }
}

/** `up to 59.5k tokens read, about 729 written: about $0.07 at list prices of …` */
export function writingCostText({ maxInput, output, price }: WritingCostView): string {
  const [read, written] = [formatTokens(maxInput), formatTokens(output)];
  if (price === null) return t('up to {0} tokens read, about {1} written', read, written);
  return t('up to {0} tokens read, about {1} written: {2}', read, written, price);
}
