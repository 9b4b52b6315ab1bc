import { findStrategy, strategyChoices } from '../../../engine/run/prepare/registry';
import { type ContenderId, contenderKey } from '../results';
import { coreKeepers } from '../results-schema';
import { NoCompaction, Truncation } from './baselines';
import type { Contender } from './contender';
import { type ContenderTools, StrategyContender } from './strategy-contender';

/** The baselines with which all strategies are compared, besides `checkpoint`. */
const baselines = ['no-compaction', 'truncation'] as const;

/**
 * The default comparison: baselines, `checkpoint`, Strata's own runs of several steps, and the seven strategies of
 * docs/specification/policies.md, "Strategies compared". Only the last two re-assert a core.
 */
export const defaultLineUp: readonly ContenderId[] = [
  { strategy: 'no-compaction', core: 'none' },
  { strategy: 'truncation', core: 'none' },
  { strategy: 'checkpoint', core: 'none' },
  { strategy: 'ladder', core: 'none' },
  { strategy: 'pipeline', core: 'none' },
  { strategy: 'naive', core: 'none' },
  { strategy: 'codex', core: 'none' },
  { strategy: 'hierarchical-summary', core: 'none' },
  { strategy: 'a-mem', core: 'none' },
  { strategy: 'observations', core: 'none' },
  { strategy: 'protected-core', core: 'pinned' },
  { strategy: 'hybrid', core: 'pinned' },
];

/** Every strategy with every core keeper. `no-compaction` takes no core. */
export function fullLineUp(): ContenderId[] {
  const names = ['truncation', ...strategyChoices().map(({ name }) => name)];
  const all = names.flatMap((strategy) => coreKeepers.map((core): ContenderId => ({ strategy, core })));
  return [{ strategy: 'no-compaction', core: 'none' }, ...all];
}

export class UnknownContender extends Error {
  override name = 'UnknownContender';
}

/** `checkpoint`, `checkpoint+proposed`, `checkpoint+pinned`. Throws `UnknownContender`. */
export function contenderNamed(key: string): ContenderId {
  const [strategy = '', core = 'none', ...rest] = key.split('+');
  const isKnown = findStrategy(strategy) !== undefined || baselines.some((name) => name === strategy);
  if (!isKnown) throw new UnknownContender(`There is no strategy or baseline named "${strategy}".`);
  const keeper = coreKeepers.find((name) => name === core);
  if (!keeper || rest.length > 0) {
    throw new UnknownContender(`After the plus sign in "${key}", name who keeps the core: ${coreKeepers.join(', ')}.`);
  }
  if (strategy === 'no-compaction' && keeper !== 'none') {
    throw new UnknownContender('no-compaction takes no core: without compaction there is nothing to protect.');
  }
  return { strategy, core: keeper };
}

export function contenderOf(id: ContenderId, tools: ContenderTools): Contender {
  const { strategy, core } = id;
  if (strategy === 'no-compaction') return new NoCompaction(tools.ledger);
  if (strategy === 'truncation') return new Truncation(core, tools.window, tools.ledger);
  const choice = findStrategy(strategy);
  if (!choice) throw new UnknownContender(`There is no strategy named "${contenderKey(id)}".`);
  return new StrategyContender(choice, core, tools);
}
