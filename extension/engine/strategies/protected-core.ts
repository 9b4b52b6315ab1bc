import { sections } from '../block/sections';
import type { Strategy } from '../block/strategy';
import { haloDefaults, planHalo, startOfTail, startsAtReserve } from './halo';

/**
 * Strategy F of the middleware seed. That the core is kept apart and re-asserted holds for every strategy in Strata;
 * this one summarises the halo with the person's direction in view, and has core items proposed from what it replaces.
 */
export const protectedCoreStrategy: Strategy<typeof haloDefaults> = {
  name: 'protected-core',
  title: 'Protected core',
  description:
    'Keeps goal, constraints and decisions apart and verbatim, replaces only the rest by one summary, and proposes what the person may want to add to the core.',
  defaults: haloDefaults,
  startsAt: startsAtReserve,
  untouchedFrom: startOfTail,
  plan: (input, parameters) =>
    planHalo(input, {
      strategy: 'protected-core',
      parameters,
      summaryType: 'protected_core',
      sections: sections.goalBatch,
    }),
};
