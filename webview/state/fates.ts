import type { FateView } from '../../extension/protocol/view';

export type Fate = FateView['fate'];

export const fateOrder: readonly Fate[] = ['kept', 'paraphrased', 'dropped'];

/** As the chips and the legend call them. */
export const fateWords: Readonly<Record<Fate, string>> = {
  kept: 'kept',
  paraphrased: 'in other words',
  dropped: 'dropped',
};

export const fateNotes: Readonly<Record<Fate, string>> = {
  kept: 'What the message says stands in the block verbatim',
  paraphrased: 'The block says it in other words',
  dropped: 'The block says nothing of it',
};

export interface FateShare {
  readonly fate: Fate;
  readonly count: number;
  readonly tokens: number;
}

/** How many messages met each fate, in the order in which they are always shown. */
export function fateShares(fates: readonly FateView[]): readonly FateShare[] {
  return fateOrder.map((fate) => {
    const met = fates.filter((each) => each.fate === fate);
    return { fate, count: met.length, tokens: met.reduce((sum, { tokens }) => sum + tokens, 0) };
  });
}

/** `4 kept, 2 in other words, 6 dropped` */
export function fatesSummary(fates: readonly FateView[]): string {
  return fateShares(fates)
    .filter(({ count }) => count > 0)
    .map(({ fate, count }) => `${count} ${fateWords[fate]}`)
    .join(', ');
}
