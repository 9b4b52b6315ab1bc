import { sections } from '../block/sections';
import type { Strategy } from '../block/strategy';
import { localizable } from '../wording/localizable-text';
import { haloRules, planHalo } from './halo';
import { haloDefaults } from './halo-parameters';

/** One summary as a user message, then the newest turns unchanged (docs/specification/strategies.md, "Checkpoint"). */
export const checkpointStrategy: Strategy<typeof haloDefaults> = {
  name: 'checkpoint',
  title: localizable('Checkpoint'),
  description: localizable(
    'Replaces everything but the newest turns by one summary, worded as a handover to the model that continues. What an earlier compaction kept is summarised with the rest.',
  ),
  defaults: haloDefaults,
  ...haloRules,
  plan: (input, parameters) =>
    planHalo(input, {
      strategy: 'checkpoint',
      parameters,
      summaryType: 'checkpoint',
      sections: sections.checkpoint,
      details: { introduction: handover },
      earliestTail: input.sinceCompaction,
    }),
};

/** Precedes a summary that is sent as a user message, so that it does not pass for the person's own words. */
export const handover =
  'This stands in place of the earlier part of this conversation. Go on with the work from it; where two statements disagree, the later one holds.';
