import { localizable } from '../wording/localizable-text';
import { deterministicSummary } from './deterministic-summary';
import type { CompactionPolicy } from './policy';
import { allButLast } from './tiers';

/** Defaults: docs/specification/policies.md, "Policies". */
const defaults = {
  /** A longer history is compacted. */
  max_entries: 8,
  /** Number of newest entries that stay. */
  preserve_last_n: 2,
  max_output_chars: 200,
  include_action_counts: true,
};

export const deterministicPolicy: CompactionPolicy<typeof defaults> = {
  name: 'deterministic',
  title: localizable('Deterministic'),
  description: localizable(
    'Replaces older history by counts of what was done and the first key outputs. Asks no model.',
  ),
  defaults,
  keepingNothing: { preserve_last_n: 1 },
  shouldCompact: (history, { max_entries }) => history.length > max_entries,
  tiers: (history, { preserve_last_n }) => allButLast(history, preserve_last_n),
  summarize: ({ entries }, { parameters }) => deterministicSummary(entries, parameters),
};
