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
    'Extracts from the whole thread what matters for the next goal, and replaces everything except the current turn by it. As a draft for a new thread, you can edit it before use.',
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
