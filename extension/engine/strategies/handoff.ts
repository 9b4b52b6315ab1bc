import { sections } from '../block/sections';
import type { Strategy } from '../block/strategy';
import { localizable } from '../wording/localizable-text';
import { haloRules, planHalo } from './halo';
import { haloDefaults } from './halo-parameters';

const defaults = { ...haloDefaults, keepRecentTokens: 0 };

/** Extracts what matters for the goal of the next thread (docs/specification/strategies.md, "Handoff"). */
export const handoffStrategy: Strategy<typeof defaults> = {
  name: 'handoff',
  title: localizable('Handoff'),
  description: localizable(
    'Draws from the whole thread what matters for the next goal, and puts it in place of all but the current turn. As a draft for a new thread it can be edited before it is used.',
  ),
  defaults,
  ...haloRules,
  plan: (input, parameters) =>
    planHalo(input, {
      strategy: 'handoff',
      parameters,
      summaryType: 'handoff',
      sections: sections.checkpoint,
      keepSteps: haloDefaults.keepRecentTokens,
    }),
};
