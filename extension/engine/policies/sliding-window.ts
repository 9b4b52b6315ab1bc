import { localizable } from '../wording/localizable-text';
import { discarded, originalEntries } from './history';
import type { CompactionPolicy } from './policy';
import { allButLast } from './tiers';

/** Defaults: docs/specification/policies.md, "Policies". */
const defaults = {
  /** Number of newest entries that stay. */
  window_size: 5,
  /** Whether a line says how many entries are gone. */
  include_summary_marker: true,
};

export const slidingWindowPolicy: CompactionPolicy<typeof defaults> = {
  name: 'sliding_window',
  title: localizable('Sliding window'),
  description: localizable(
    'Keeps the newest history entries and discards everything older; a marker says how much is gone.',
  ),
  defaults,
  keepingNothing: { window_size: 1 },
  shouldCompact: (history, { window_size }) => history.length > window_size,
  tiers: (history, { window_size }) => allButLast(history, window_size),
  summarize: ({ entries }, { parameters }) =>
    parameters.include_summary_marker ? discarded(originalEntries(entries)) : null,
};
