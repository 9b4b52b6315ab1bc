import type { Context } from '../../conversation/context';
import { project, tokensOfCore } from '../../conversation/projection';
import type { JournalState } from '../../journal/journal-state';
import { activeOriginalGoal, coreWithout, overlayOf } from '../../journal/overlay';
import type { RunInput } from './run-input';

/** The journal with the blocks of the run so far, and its context. */
export interface RunState {
  readonly journal: JournalState;
  readonly context: Context;
  /** Ids of the entries that blocks replace. */
  readonly coveredIds: ReadonlySet<string>;
}

type Projected = Pick<RunInput, 'conversation' | 'ledger' | 'withoutCore'>;

export function runStateOf({ conversation, ledger, withoutCore }: Projected, journal: JournalState): RunState {
  const overlay = overlayOf(journal, conversation);
  return {
    journal,
    context: project(conversation, withoutCore ? { ...overlay, core: null } : overlay, ledger),
    coveredIds: new Set(overlay.blocks.flatMap((block) => block.entryIds)),
  };
}

/** Counted tokens by which the core grows once a block replaces the message with the standing goal. */
export function goalTokens(
  { conversation, ledger, withoutCore }: Projected,
  { journal, context, coveredIds }: RunState,
): number {
  const goal = activeOriginalGoal(journal, conversation);
  if (withoutCore || goal === null) return 0;
  const core = coreWithout(journal, conversation, coveredIds, [goal.entryId]);
  const now = context.tokens.byKind.core / context.tokens.calibration;
  return core === null ? 0 : Math.max(0, tokensOfCore(core, ledger) - now);
}
