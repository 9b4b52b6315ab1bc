/** Names a conversation in a store. */
export interface RecordKey {
  /** Tenant; empty for conversations without one. A query about one scope never returns anything of another. */
  readonly scope: string;
  /** Unique within the scope. */
  readonly id: string;
}

/**
 * The description of a conversation that a store keeps besides its records. It is set with the first record and never
 * changed.
 */
export interface ConversationDescription {
  /** The keys by which conversations with the same beginning are found. */
  readonly begins: string;
  /** The key that its agent gave it; null if it has none. */
  readonly name: string | null;
  /** ISO 8601. */
  readonly created: string;
}

export interface StoredConversation extends ConversationDescription {
  readonly id: string;
  /** Number of its records. */
  readonly length: number;
  /** Time of its newest record, by the clock of the store. ISO 8601. */
  readonly updated: string;
}

export type AppendOutcome =
  | { readonly kind: 'appended' }
  /** The conversation does not have the expected length: another writer has written to it, or it was deleted. */
  | { readonly kind: 'moved' };

/**
 * Stores conversations as sequences of records. A record is a text of any length. Other processes use the same store at the
 * same time. A method that rejects names the store and the cause; after an append that rejected, the records are either all
 * there or none of them is, and the writer reads to find out which.
 */
export interface RecordStore {
  /** The records from this place on, in order; none if there is no such conversation. */
  read(key: RecordKey, from: number): Promise<readonly string[]>;
  /**
   * Appends all of the records or none, and only if the conversation has this length. At length 0 the conversation begins. Resolves when
   * they would survive a crash of this process and, as far as the store promises, of the machine.
   */
  append(
    key: RecordKey,
    expectedLength: number,
    records: readonly string[],
    description: ConversationDescription,
  ): Promise<AppendOutcome>;
  /** The conversations of a scope that have one of these beginnings. */
  find(scope: string, beginnings: readonly string[]): Promise<readonly StoredConversation[]>;
  /** The conversations of a scope. */
  list(scope: string): Promise<readonly StoredConversation[]>;
  /** Deletes a conversation with all of its records. Nothing happens if there is none. */
  delete(key: RecordKey): Promise<void>;
  /** Deletes the conversations of all scopes without a record since then (ISO 8601). Resolves to their number. */
  prune(before: string): Promise<number>;
  /** Closes what the store itself has opened. */
  close(): Promise<void>;
}
