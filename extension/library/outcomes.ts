import type { AutomationDecision } from '../engine/run/automation';
import type { PreparedRun } from '../engine/run/prepared-run';

/** What changed: messages were added, or the journal went on (a compaction, an undo, the core). */
export type ContextChange = 'messages' | 'journal';

/** What came of `compactIfNeeded`. */
export type AutomaticOutcome =
  | Exclude<AutomationDecision, { readonly kind: 'run' }>
  | { readonly kind: 'compacted'; readonly run: PreparedRun }
  /** It was due, and no block was worth it or the model failed; the run says why. */
  | { readonly kind: 'came-to-nothing'; readonly run: PreparedRun }
  /** The model failed several times in a row, so it is left alone for a while. */
  | { readonly kind: 'stopped'; readonly message: string }
  /** Somebody else changed the journal meanwhile. `refresh` and go on. */
  | { readonly kind: 'overtaken'; readonly message: string };

/** What came of compacting because a request would not fit. */
export type FitOutcome = Exclude<AutomaticOutcome, AutomationDecision>;
