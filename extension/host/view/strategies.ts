import type { StrategyChoice } from '../../engine/run/registry';
import type { StrategyView } from '../../protocol/view';
import { translated } from '../failures/failure-text';

export function strategyView({ name, group, title, description }: StrategyChoice): StrategyView {
  return { name, group, title: translated(title), description: translated(description) };
}
