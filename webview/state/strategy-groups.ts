import type { StrategyView } from '../../extension/protocol/view';

/** What the engine's groups are called; a group of somebody else's goes by its own name. */
const groupLabels: Readonly<Record<string, string>> = {
  tiers: 'Tiers',
  'whole-history': 'The whole history at once',
  memory: 'Memory',
  policies: 'Policies',
  custom: 'Registered by others',
};

export function groupLabel(group: string): string {
  return groupLabels[group] ?? group;
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
