import type { FateView } from '../../../extension/protocol/view';
import { t } from '../../l10n';
import { formatCount } from '../shared/format';

export type Fate = FateView['fate'];

export const fateOrder: readonly Fate[] = ['kept', 'paraphrased', 'dropped'];

/** Labels of the chips and the legend. */
export const fateWords: Readonly<Record<Fate, string>> = {
  kept: t('kept'),
  paraphrased: t('in other words'),
  dropped: t('dropped'),
};

export const fateNotes: Readonly<Record<Fate, string>> = {
  kept: t('The block contains a sentence of the message verbatim'),
  paraphrased: t('The block contains it in other words'),
  dropped: t('The block does not contain it'),
};

export interface FateShare {
  readonly fate: Fate;
  readonly count: number;
  readonly tokens: number;
}

/** The number of messages with each fate, always in the same order. */
export function fateShares(fates: readonly FateView[]): readonly FateShare[] {
  return fateOrder.map((fate) => {
    const met = fates.filter((each) => each.fate === fate);
    return { fate, count: met.length, tokens: met.reduce((sum, { tokens }) => sum + tokens, 0) };
  });
}

/** `4 kept` */
export function fateCount(fate: Fate, count: number): string {
  if (fate === 'kept') return t('{0} kept', count);
  return fate === 'paraphrased' ? t('{0} in other words', count) : t('{0} dropped', count);
}

/** For a compaction of very many messages, the host reports only the fates of the newest. */
export function fatesHeading(told: number, all: number): string {
  if (told < all) return t('What became of the newest {0} of {1} messages', formatCount(told), formatCount(all));
  return told === 1 ? t('What became of 1 message') : t('What became of {0} messages', formatCount(told));
}
