import {
  type AskedView,
  type AskingCostView,
  type AskingSubject,
  type StandardQuestion,
  standardQuestions,
} from '../../../extension/protocol/asking';
import type { Caller } from '../../../extension/protocol/rpc';
import { t } from '../../l10n';
import { formatCount, formatTokens } from '../shared/format';
import { type Loadable, load, loading } from '../shared/loadable';

/** Questions to the model with the context before and after one compaction: what they cost, and the answers. */
export class Asking {
  isOpen = $state(false);
  cost = $state.raw<Loadable<AskingCostView>>(loading);
  /** Null until something was asked. */
  asked = $state.raw<Loadable<AskedView> | null>(null);
  standard = $state.raw<readonly StandardQuestion[]>(standardQuestions);
  /** Questions of the person, one a line. */
  own = $state('');

  /** @param subject is read with each request */
  constructor(
    private readonly subject: () => AskingSubject,
    private readonly request: Caller['request'],
  ) {}

  readonly ownQuestions: readonly string[] = $derived.by(() => [
    ...new Set(
      this.own
        .split('\n')
        .map((line) => line.trim())
        .filter((line) => line !== ''),
    ),
  ]);
  readonly count = $derived.by(() => this.standard.length + this.ownQuestions.length);
  readonly isAsking = $derived.by(() => this.asked?.kind === 'loading');
  /** The cost of the chosen questions, as a sentence; empty while it is not known. */
  readonly costText: string = $derived.by(() =>
    this.cost.kind === 'ready' && this.cost.value.model !== null ? costSentence(this.cost.value, this.count) : '',
  );
  readonly canAsk = $derived.by(
    () =>
      this.cost.kind === 'ready' &&
      this.cost.value.model !== null &&
      this.count > 0 &&
      this.count <= this.cost.value.mostQuestions &&
      !this.isAsking,
  );

  toggle = (): void => {
    this.isOpen = !this.isOpen;
    if (this.isOpen) void this.readCost();
  };

  /** Another model was chosen, or the contexts have changed: answers are out of date. */
  renew(): void {
    if (!this.isAsking) this.asked = null;
    if (this.isOpen) void this.readCost();
  }

  readCost = async (): Promise<void> => {
    this.cost = await load(this.request('asking-cost', { subject: this.subject() }));
  };

  choose = (question: StandardQuestion, isChosen: boolean): void => {
    this.standard = standardQuestions.filter((each) => (each === question ? isChosen : this.standard.includes(each)));
  };

  ask = async (): Promise<void> => {
    if (!this.canAsk) return;
    this.asked = loading;
    const { standard, ownQuestions: own } = this;
    this.asked = await load(this.request('ask-both', { subject: this.subject(), standard, own }));
  };
}

function costSentence({ model, input, mostOutput, prices }: AskingCostView, count: number): string {
  const [read, written] = [formatTokens(input * count), formatCount(mostOutput * count)];
  const price = prices[count - 1];
  if (price === undefined)
    return t('{0} would read about {1} tokens and write at most {2}.', model ?? '', read, written);
  return t('{0} would read about {1} tokens and write at most {2}: {3}.', model ?? '', read, written, price);
}
