import { isUsual, type StrategyChoice } from '../../engine/run/prepare/registry';
import type { StrategyView } from '../../protocol/view';
import { translated } from '../failures/failure-text';

export function strategyView(choice: StrategyChoice): StrategyView {
  const { name, group, title, description } = choice;
  return {
    ...{ name, group, title: translated(title), description: translated(description) },
    ...(isUsual(choice) ? { usual: true } : {}),
  };
}
