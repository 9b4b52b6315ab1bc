import type { StrategyView } from '../../../extension/protocol/view';
import { t } from '../../l10n';

/** Labels of the engine's groups; an unknown group is shown by its name. */
const groupLabels: Readonly<Record<string, string>> = {
  tiers: t('Tiers'),
  'whole-history': t('The whole history at once'),
  memory: t('Memory'),
  policies: t('Policies'),
  custom: t('Registered by other extensions'),
};

export function groupLabel(group: string): string {
  return groupLabels[group] ?? group;
}

/** The title of a strategy, or its name if it no longer exists. */
export function strategyTitle(strategies: readonly StrategyView[], name: string): string {
  return strategies.find((strategy) => strategy.name === name)?.title ?? name;
}

/** Collects the strategies of each group at the place of its first strategy. */
export function byGroup(strategies: readonly StrategyView[]): readonly StrategyView[] {
  return [...Map.groupBy(strategies, ({ group }) => group).values()].flat();
}
