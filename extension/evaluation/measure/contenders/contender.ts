import type { Context } from '../../../engine/conversation/context';
import type { Conversation } from '../../../engine/conversation/conversation';
import type { CompactionCost } from '../results';
import type { TurnForCore } from './core-keeping';

/** One way to keep a context small, at work on one conversation from its beginning to its end. */
export interface Contender {
  /** A turn is over; the core is kept. */
  keepCore(turn: TurnForCore): void;
  /** What the model would be sent now. */
  contextOf(conversation: Conversation): Context;
  /** Makes room. The next context shows it. */
  compact(conversation: Conversation, signal: AbortSignal): Promise<Effort>;
}

/** What it took to make room. */
export type Effort = Pick<CompactionCost, 'blocks' | 'isCompacted' | 'spent' | 'durationMs' | 'failures'>;

export const noEffort: Effort = {
  blocks: 0,
  isCompacted: true,
  spent: { input: 0, output: 0 },
  durationMs: 0,
  failures: [],
};
