import type { Context } from '../../engine/conversation/context';
import type { Conversation } from '../../engine/conversation/conversation';
import type { TokenLedger } from '../../engine/conversation/tokens';
import type { JournalState } from '../../engine/journal/journal-state';
import type { PreparedRun } from '../../engine/run/prepared-run';
import type { Beginning, ConversationRecord } from '../../sessions/strata/records';

/** A conversation that requests are kept in, with its journal: on disk or in memory. */
export interface KeptConversation {
  readonly id: string;
  readonly conversation: Conversation;
  /** Who answered last; null while nobody has. */
  readonly model: string | null;
  /** Of that model, in tokens; null where nobody says. */
  readonly contextWindow: number | null;
  /** What the model would be sent now. */
  readonly context: Context;
  readonly state: JournalState;
  readonly ledger: TokenLedger;
  /** All of the records or none of them; afterwards the context holds them. */
  append(records: readonly ConversationRecord[]): Promise<void>;
}

/** Where the conversations of requests are kept, and how they are compacted. */
export interface RequestStore<C extends KeptConversation> {
  /** Those that begin with this entry, also where another process has just made them. */
  beginnings(begins: string): Promise<Beginning[]>;
  create(begins: string): Promise<C>;
  /** As it stands now. */
  open(id: string): Promise<C>;
  /** Between two turns, where it is time for it. Null where nothing was done. */
  compactIfDue(conversation: C, signal: AbortSignal): Promise<PreparedRun | null>;
  /** At once, whatever the moment; null where nothing was done, or where nothing may be compacted by itself. */
  compactNow(conversation: C, signal: AbortSignal): Promise<PreparedRun | null>;
}
