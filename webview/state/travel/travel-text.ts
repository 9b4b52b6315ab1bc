import type { PastView } from '../../../extension/protocol/view';
import { t } from '../../l10n';
import { formatTime } from '../shared/format';

/** `turn 12, 14:03`. */
export function momentText({ turn, time }: PastView, now: number): string {
  if (time === null) return t('turn {0}', turn);
  return t('turn {0}, {1}', turn, formatTime(time, now));
}

/** What the whole panel shows, where it is not what is now. */
export function pastText(past: PastView, now: number): string {
  return past.after === 'record'
    ? t('As it was at {0}, after a change in Strata', momentText(past, now))
    : t('As it was at {0}', momentText(past, now));
}
