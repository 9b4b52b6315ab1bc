import { sections } from '../block/sections';
import { localizable } from '../wording/localizable-text';
import { haloStrategy } from './halo';
import { haloDefaults } from './halo-parameters';

/** Precedes a summary that is sent as a user message, so that it does not pass for the person's own words. */
export const handover =
  'This stands in place of the earlier part of this conversation. Go on with the work from it; where two statements disagree, the later one holds.';

/** One summary as a user message, then the newest turns unchanged (docs/specification/strategies.md, "Checkpoint"). */
export const checkpointStrategy = haloStrategy(
  {
    name: 'checkpoint',
    title: localizable('Checkpoint'),
    description: localizable(
      'Replaces everything but the newest turns by one summary, worded as a handover to the model that continues. What an earlier compaction kept is summarised with the rest.',
    ),
    defaults: haloDefaults,
  },
  ({ sinceCompaction }) => ({
    sections: sections.checkpoint,
    details: { introduction: handover },
    earliestTail: sinceCompaction,
  }),
);

/** The lower bound in comparisons: one summary, nothing anchored (docs/specification/policies.md, "Strategies compared"). */
export const naiveStrategy = haloStrategy(
  {
    name: 'naive',
    title: localizable('Naive summary'),
    description: localizable(
      'Replaces everything but the newest turns by one summary in running text, without sections or anchors.',
    ),
    defaults: haloDefaults,
  },
  () => ({ details: { unanchored: true } }),
);

/**
 * Summarises the halo with sections for the person's direction. The editor proposes core items from what it replaces;
 * like every strategy, it keeps and re-asserts the core (docs/specification/policies.md, "Strategies compared").
 */
export const protectedCoreStrategy = haloStrategy(
  {
    name: 'protected-core',
    title: localizable('Protected core'),
    description: localizable(
      'Keeps goal, constraints and decisions apart and verbatim, replaces only the rest by one summary, and proposes what the person may want to add to the core.',
    ),
    defaults: haloDefaults,
  },
  () => ({ sections: sections.goalBatch }),
);

/** Extracts what matters for the goal of the next thread (docs/specification/strategies.md, "Handoff"). */
export const handoffStrategy = haloStrategy(
  {
    name: 'handoff',
    title: localizable('Handoff'),
    description: localizable(
      'Extracts from the whole thread what matters for the next goal, and replaces everything except the current turn by it. As a draft for a new thread, you can edit it before use.',
    ),
    defaults: { ...haloDefaults, keepRecentTokens: 0 },
  },
  () => ({ sections: sections.checkpoint, keepSteps: haloDefaults.keepRecentTokens }),
);
