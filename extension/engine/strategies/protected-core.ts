import { sections } from '../block/sections';
import type { Strategy } from '../block/strategy';
import { localizable } from '../wording/localizable-text';
import { haloRules, planHalo } from './halo';
import { haloDefaults } from './halo-parameters';

/**
 * Summarises the halo with sections for the person's direction, and proposes core items from what it replaces. Every
 * strategy keeps and re-asserts the core (docs/specification/policies.md, "Strategies compared").
 */
export const protectedCoreStrategy: Strategy<typeof haloDefaults> = {
  name: 'protected-core',
  title: localizable('Protected core'),
  description: localizable(
    'Keeps goal, constraints and decisions apart and verbatim, replaces only the rest by one summary, and proposes what the person may want to add to the core.',
  ),
  defaults: haloDefaults,
  ...haloRules,
  plan: (input, parameters) =>
    planHalo(input, {
      strategy: 'protected-core',
      parameters,
      summaryType: 'protected_core',
      sections: sections.goalBatch,
    }),
};
