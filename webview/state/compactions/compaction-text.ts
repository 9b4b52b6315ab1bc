import type { CompactionView, StrategyView } from '../../../extension/protocol/view';
import { t } from '../../l10n';
import { strategyTitle } from '../shared/strategy-groups';

/** `#5` for a compaction by Strata, `agent` for one by the agent. */
export function compactionNumber(compaction: CompactionView): string {
  return compaction.seq === null ? t('agent') : `#${compaction.seq}`;
}

/** The number of a compaction from an id such as `strata:5`. */
export function numberOfId(id: string): string {
  const [by, number] = id.split(':');
  return by === 'strata' && number ? `#${number}` : t('one of the agent');
}

/** `#3 Goal batch`, `by pi`, `#5 Excluded` */
export function compactionName(
  compaction: CompactionView,
  agentName: string,
  strategies: readonly StrategyView[],
): string {
  if (compaction.inFork) return t('by Strata, as this fork began');
  if (compaction.by === 'agent') return t('by {0}', agentName);
  const number = compactionNumber(compaction);
  return compaction.excludes
    ? t('{0} Excluded', number)
    : `${number} ${strategyTitle(strategies, compaction.strategy)}`;
}

/** Names under which Strata wrote without a model; journals keep the older one. */
const namesWithoutModel: ReadonlySet<string> = new Set(['transparent', 'extractive']);

/** Who wrote a block: a model by its name, or Strata itself. */
export function writerName(summarizer: string): string {
  return namesWithoutModel.has(summarizer) ? t('Strata, without a model') : summarizer;
}
