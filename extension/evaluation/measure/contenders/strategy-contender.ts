import type { Parameters } from '../../../engine/block/plan';
import type { WritingTools } from '../../../engine/block/strategy';
import type { VerificationMode } from '../../../engine/compaction/verify';
import type { Context } from '../../../engine/conversation/context';
import type { Conversation } from '../../../engine/conversation/conversation';
import { project } from '../../../engine/conversation/projection';
import type { TokenLedger } from '../../../engine/conversation/tokens';
import { emptyJournalState, foldJournal, type JournalState } from '../../../engine/journal/journal-state';
import { overlayOf } from '../../../engine/journal/overlay';
import { ownersIn, type StrategyChoice } from '../../../engine/run/prepare/registry';
import { prepareRunOf } from '../../../engine/run/prepare/run';
import { isTokenParameter } from '../../../engine/strategies/token-parameters';
import type { CoreKeeper } from '../results';
import type { Contender, Effort } from './contender';
import { epoch, type TurnForCore, withCoreKept } from './core-keeping';

export interface ContenderTools {
  readonly writing: WritingTools;
  readonly ledger: TokenLedger;
  readonly verification: VerificationMode;
  /** Tokens. */
  readonly window: number;
  /** Tokens of a context after a compaction; undefined: as the parameters of the strategy say. */
  readonly target?: number | undefined;
  /** In milliseconds; for durations only. */
  readonly clock: () => number;
}

/** A strategy of the engine, run as the extension runs a manual compaction. */
export class StrategyContender implements Contender {
  #state: JournalState = emptyJournalState;

  constructor(
    readonly choice: StrategyChoice,
    readonly core: CoreKeeper,
    readonly tools: ContenderTools,
  ) {}

  keepCore(turn: TurnForCore): void {
    this.#state = withCoreKept(this.#state, this.core, turn);
  }

  contextOf(conversation: Conversation): Context {
    const overlay = overlayOf(this.#state, conversation);
    return project(conversation, this.core === 'none' ? { ...overlay, core: null } : overlay, this.tools.ledger);
  }

  async compact(conversation: Conversation, signal: AbortSignal): Promise<Effort> {
    const { writing, ledger, verification, window, target, clock } = this.tools;
    const began = clock();
    const run = await prepareRunOf(this.choice, {
      conversation,
      state: this.#state,
      parameters: scaledParameters(this.choice, window),
      contextWindow: window,
      ...(target === undefined ? {} : { targetTokens: target }),
      trigger: 'manual',
      instructions: null,
      tools: writing,
      verification,
      floorTokens: 0,
      ledger,
      now: () => epoch,
      clock,
      signal,
      ...(this.core === 'none' ? { withoutCore: true } : {}),
    });
    this.#state = foldJournal(run.records, this.#state);
    const { records, tokensSpent: spent } = run;
    const failures = run.failures.map(String);
    return { blocks: records.length, isCompacted: records.length > 0, spent, durationMs: clock() - began, failures };
  }
}

/** Window size that the defaults of token parameters are meant for, in tokens. */
export const referenceWindow = 200_000;

/** Scales token parameters down with the window, because task conversations are far smaller than a real window. */
function scaledParameters(choice: StrategyChoice, window: number): Record<string, Parameters> {
  return Object.fromEntries(
    ownersIn(choice).map(({ name, defaults }) => [name, scale(defaults, window / referenceWindow)]),
  );
}

function scale(defaults: Parameters, share: number): Parameters {
  return Object.fromEntries(
    Object.entries(defaults).map(([name, value]) => [
      name,
      typeof value === 'number' && isTokenParameter(name) ? Math.round(value * share) : value,
    ]),
  );
}
