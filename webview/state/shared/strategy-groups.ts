import type { StrategyView } from '../../../extension/protocol/view';
import { t } from '../../l10n';

/** What the engine's groups are called; a group of somebody else's goes by its own name. */
const groupLabels: Readonly<Record<string, string>> = {
  tiers: t('Tiers'),
  'whole-history': t('The whole history at once'),
  memory: t('Memory'),
  policies: t('Policies'),
  custom: t('Registered by others'),
};

export function groupLabel(group: string): string {
  return groupLabels[group] ?? group;
}

/** A strategy that is no longer there goes by its name. */
export function strategyTitle(strategies: readonly StrategyView[], name: string): string {
  return strategies.find((strategy) => strategy.name === name)?.title ?? name;
}

/** Strategies of one group stand together, where the first of them stood. */
export function byGroup(strategies: readonly StrategyView[]): readonly StrategyView[] {
  const groups = new Map<string, StrategyView[]>();
  for (const strategy of strategies) {
    const group = groups.get(strategy.group);
    if (group) group.push(strategy);
    else groups.set(strategy.group, [strategy]);
  }
  return [...groups.values()].flat();
}
