import type { Parameters } from '../../extension/engine/block/plan';
import type { Strategy } from '../../extension/engine/block/strategy';
import { findStrategy, type StrategyChoice } from '../../extension/engine/run/prepare/registry';
import { clearedStrategy } from '../../extension/engine/strategies/cleared';
import { ladderAim } from '../../extension/engine/strategies/ladder';
import { checkpointStrategy } from '../../extension/engine/strategies/one-summary';
import { supersededStrategy } from '../../extension/engine/strategies/superseded';
import { localizable } from '../../extension/engine/wording/localizable-text';
import { contenderOf } from '../../extension/evaluation/measure/contenders/line-up';
import { StrategyContender } from '../../extension/evaluation/measure/contenders/strategy-contender';
import type { ContenderId } from '../../extension/evaluation/measure/results';
import { toolsWithoutModel } from '../../extension/summarizers/without-model';
import { peerStrategy } from './peer';

/** The contenders of the study, by the names in its tables. */
export const contenders = [
  { strategy: 'no-compaction', core: 'none' },
  { strategy: 'truncation', core: 'none' },
  { strategy: 'naive', core: 'none' },
  { strategy: 'codex', core: 'none' },
  { strategy: 'protected-core', core: 'pinned' },
  { strategy: 'pipeline', core: 'none' },
  { strategy: 'ladder', core: 'none' },
  { strategy: 'short-ladder', core: 'none' },
  { strategy: 'ladder-without-model', core: 'none' },
  { strategy: 'peer', core: 'none' },
] as const satisfies readonly ContenderId[];

function step<P extends Parameters>(strategy: Strategy<P>): Strategy {
  const { name, title, description, defaults, plan, write } = strategy;
  return {
    ...{ name, title, description, defaults },
    plan: (input, parameters) => plan(input, { ...defaults, ...parameters }),
    ...(write ? { write } : {}),
  };
}

/** First the steps that cost nothing, then one checkpoint: at most one call in a run. */
const shortLadder: StrategyChoice = {
  name: 'short-ladder',
  group: 'custom',
  title: localizable('Short ladder'),
  description: localizable('Superseded output, old output, then one checkpoint.'),
  steps: [step(supersededStrategy), step(clearedStrategy), step(checkpointStrategy)],
  aim: ladderAim,
};

const peer: StrategyChoice = {
  name: 'peer',
  group: 'custom',
  title: localizable('Peer'),
  description: localizable('One summary by a prompt in the structure that a peer published.'),
  steps: [peerStrategy],
};

export const studyContender: typeof contenderOf = (id, tools) => {
  switch (id.strategy) {
    case 'short-ladder':
      return new StrategyContender(shortLadder, id.core, { ...tools, verification: 'repair' });
    case 'ladder-without-model':
      return new StrategyContender(registered('ladder'), id.core, {
        ...tools,
        verification: 'repair',
        writing: toolsWithoutModel,
      });
    case 'peer':
      return new StrategyContender(peer, id.core, tools);
    case 'ladder':
    case 'pipeline':
    case 'protected-core':
      return contenderOf(id, { ...tools, verification: 'repair' });
    default:
      return contenderOf(id, tools);
  }
};

function registered(name: string): StrategyChoice {
  const choice = findStrategy(name);
  if (!choice) throw new RangeError(`There is no strategy named "${name}".`);
  return choice;
}

/** Names in the tables and the figure, by key. */
export const contenderNames: Readonly<Record<string, string>> = {
  'no-compaction': 'no compaction',
  truncation: 'truncation',
  naive: 'A naive summary',
  codex: 'B codex',
  'protected-core+pinned': 'F protected core',
  pipeline: 'pipeline',
  ladder: 'ladder (default)',
  'short-ladder': 'short ladder',
  'ladder-without-model': 'ladder without a model',
  peer: 'pi’s published structure',
};
