import type { Strategy } from '../block/strategy';
import { localizable } from '../wording/localizable-text';
import { haloRules, planHalo } from './halo';
import { haloDefaults } from './halo-parameters';

/** The lower bound in comparisons: one summary, nothing anchored (docs/specification/policies.md, "Strategies compared"). */
export const naiveStrategy: Strategy<typeof haloDefaults> = {
  name: 'naive',
  title: localizable('Naive summary'),
  description: localizable(
    'Replaces everything but the newest turns by one summary in running text, without sections or anchors.',
  ),
  defaults: haloDefaults,
  ...haloRules,
  plan: (input, parameters) =>
    planHalo(input, {
      strategy: 'naive',
      parameters,
      summaryType: 'naive',
      sections: [],
      details: { unanchored: true },
    }),
};
