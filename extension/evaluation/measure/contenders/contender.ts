import type { Context } from '../../../engine/conversation/context';
import type { Conversation } from '../../../engine/conversation/conversation';
import type { CompactionCost } from '../results';
import type { TurnForCore } from './core-keeping';

/** A strategy or baseline that works on one conversation from beginning to end. */
export interface Contender {
  /** Updates the core after a completed turn. */
  keepCore(turn: TurnForCore): void;
  /** The context that the model would be sent now. */
  contextOf(conversation: Conversation): Context;
  /** Compacts. The next `contextOf` shows the result. */
  compact(conversation: Conversation, signal: AbortSignal): Promise<Effort>;
}

export type Effort = Pick<CompactionCost, 'blocks' | 'isCompacted' | 'spent' | 'durationMs' | 'failures'>;

export const noEffort: Effort = {
  blocks: 0,
  isCompacted: true,
  spent: { input: 0, output: 0 },
  durationMs: 0,
  failures: [],
};
