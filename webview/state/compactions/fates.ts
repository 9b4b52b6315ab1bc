import type { FateView } from '../../../extension/protocol/view';
import { t } from '../../l10n';
import { formatCount } from '../shared/format';

export type Fate = FateView['fate'];

const fateOrder: readonly Fate[] = ['whole', 'shortened', 'gone'];

/** Labels of the chips and the legend. */
export const fateWords: Readonly<Record<Fate, string>> = {
  whole: t('word for word'),
  shortened: t('shortened'),
  gone: t('not word for word'),
};

export const fateNotes: Readonly<Record<Fate, string>> = {
  whole: t('The block has all of it word for word'),
  shortened: t('The block has a part of it, with a mark for what was left out'),
  gone: t('The block has it in other words, or not at all'),
};

interface FateShare {
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

/** `4 word for word` */
export function fateCount(fate: Fate, count: number): string {
  if (fate === 'whole') return t('{0} word for word', count);
  return fate === 'shortened' ? t('{0} shortened', count) : t('{0} not word for word', count);
}

/** For a compaction of very many messages, the host reports only the fates of the newest. */
export function fatesHeading(shown: number, all: number): string {
  if (shown < all) return t('What became of the newest {0} of {1} messages', formatCount(shown), formatCount(all));
  return shown === 1 ? t('What became of 1 message') : t('What became of {0} messages', formatCount(shown));
}
