import type { GaugeView } from '../../../extension/protocol/view';
import { t } from '../../l10n';
import { formatTokens } from '../shared/format';

interface Target {
  readonly tokens: number;
  readonly label: string;
}

/** Percents of the window. */
const offeredPercents = [75, 60, 50, 40, 30, 25, 20, 15, 10];

/** Sizes at which a run can stop: round shares of the window, below the size of the context. */
export function targetsFor({ total, window }: Pick<GaugeView, 'total' | 'window'>): readonly Target[] {
  return offeredPercents
    .map((percent) => ({ percent, tokens: Math.round((window * percent) / 100) }))
    .filter(({ tokens }) => tokens > 0 && tokens < total)
    .map(({ percent, tokens }) => ({ tokens, label: t('{0}, {1} % of the window', formatTokens(tokens), percent) }));
}
