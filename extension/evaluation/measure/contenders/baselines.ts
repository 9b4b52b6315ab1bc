import type { Context } from '../../../engine/conversation/context';
import type { Conversation } from '../../../engine/conversation/conversation';
import type { Entry } from '../../../engine/conversation/entry';
import { project } from '../../../engine/conversation/projection';
import type { TokenLedger } from '../../../engine/conversation/tokens';
import { segmentsOf } from '../../../engine/conversation/turns';
import { coreState } from '../../../engine/core/core';
import { emptyJournalState, type JournalState } from '../../../engine/journal/journal-state';
import { originalGoal } from '../../../engine/journal/overlay';
import { haloDefaults } from '../../../engine/strategies/halo-parameters';
import type { CoreKeeper } from '../results';
import { type Contender, type Effort, noEffort } from './contender';
import { type TurnForCore, withCoreKept } from './core-keeping';
import { referenceWindow } from './strategy-contender';

/** Never compacts. The upper bound: everything stays in the context. */
export class NoCompaction implements Contender {
  constructor(readonly ledger: TokenLedger) {}

  keepCore(): void {
    // Without compaction there is nothing to protect.
  }

  contextOf(conversation: Conversation): Context {
    return project(conversation, { blocks: [], core: null }, this.ledger);
  }

  async compact(): Promise<Effort> {
    return noEffort;
  }
}

/** Drops the oldest turns without a summary, until the context is at most as large as after a checkpoint. */
export class Truncation implements Contender {
  #state: JournalState = emptyJournalState;
  /** Number of dropped entries after the system prompt. */
  #dropped = 0;

  constructor(
    readonly core: CoreKeeper,
    readonly window: number,
    readonly ledger: TokenLedger,
  ) {}

  keepCore(turn: TurnForCore): void {
    this.#state = withCoreKept(this.#state, this.core, turn);
  }

  contextOf(conversation: Conversation): Context {
    const goal = this.#dropped > 0 ? (originalGoal(conversation)?.text ?? null) : null;
    const core = this.core === 'none' ? null : coreState(this.#state.items, goal);
    const isEmpty = core !== null && this.#state.items.length === 0 && core.original_goal === null;
    const kept = { ...conversation, agentContext: this.#kept(conversation) };
    return project(kept, { blocks: [], core: isEmpty ? null : core }, this.ledger);
  }

  async compact(conversation: Conversation): Promise<Effort> {
    const { messages } = project(conversation, { blocks: [], core: null }, this.ledger);
    const turns = segmentsOf(messages);
    let first = turns.length - 1;
    let tokens = this.#tokensOf(conversation, turns[first]);
    while (first > 0 && tokens + this.#tokensOf(conversation, turns[first - 1]) <= maxTokensLeft(this.window)) {
      first -= 1;
      tokens += this.#tokensOf(conversation, turns[first]);
    }
    const start = turns[first]?.start ?? 0;
    this.#dropped = Math.max(this.#dropped, start - systemsOf(conversation.agentContext).length);
    return noEffort;
  }

  #kept({ agentContext }: Conversation): readonly Entry[] {
    const systems = systemsOf(agentContext);
    return [...systems, ...agentContext.slice(systems.length + this.#dropped)];
  }

  #tokensOf({ agentContext }: Conversation, turn: { start: number; end: number } | undefined): number {
    return turn ? this.ledger.ofEntries(agentContext.slice(turn.start, turn.end)) : 0;
  }
}

function systemsOf(entries: readonly Entry[]): readonly Entry[] {
  return entries.filter(({ role }) => role === 'system');
}

/** The kept tail of a checkpoint plus its longest summary, 0.8 of the reserve. */
function maxTokensLeft(window: number): number {
  return ((haloDefaults.keepRecentTokens + haloDefaults.reserveTokens * 0.8) * window) / referenceWindow;
}
