import type { ReasoningPart, TextPart } from '../../engine/conversation/entry';
import type { TokenLedger } from '../../engine/conversation/tokens';
import type { ConversationRecord, EntryRecord, WrittenEntry } from '../../sessions/strata/records';
import type { ServedConversation } from '../served-conversation';

/** Interval between writes of a streamed reply in milliseconds; short enough to watch it grow. */
const gatherMs = 250;

export interface ReplyPlace {
  /** The conversation, which may have been closed and opened again meanwhile. */
  readonly conversation: () => Promise<Pick<ServedConversation, 'append' | 'ledger'>>;
  /** Id of the entry that is answered. */
  readonly parent: string | null;
  /** Tokens of the messages sent to the model, as counted. */
  readonly sentTokens: number;
}

/** Writes a reply to disk while it streams, so that the panel shows its progress and a crash loses little of it. */
export class ReplyWriter {
  #pending: (TextPart | ReasoningPart)[] = [];
  /** One write at a time; text that arrives meanwhile is buffered. */
  #writing: Promise<void> | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #hasPieces = false;

  constructor(
    private readonly place: ReplyPlace,
    /** Id of the reply while it streams. */
    readonly id: string,
    private readonly onFailure: (error: unknown) => void,
  ) {}

  add(part: TextPart | ReasoningPart): void {
    const last = this.#pending.at(-1);
    if (last?.type === part.type) this.#pending[this.#pending.length - 1] = { ...part, text: last.text + part.text };
    else this.#pending.push(part);
    this.#timer ??= setTimeout(() => this.#write(), gatherMs);
  }

  #write(): void {
    this.#timer = this.#writing ? setTimeout(() => this.#write(), gatherMs) : undefined;
    if (this.#writing) return;
    const { parent } = this.place;
    const time = new Date().toISOString();
    const records = this.#pending.map((part) => ({ type: 'piece', id: this.id, parent, time, part }) as const);
    this.#pending = [];
    this.#hasPieces = true;
    this.#writing = this.#append(records)
      // The complete reply is written at the end in any case.
      .catch(this.onFailure)
      .finally(() => {
        this.#writing = null;
      });
  }

  async #append(records: readonly ConversationRecord[]): Promise<void> {
    await (await this.place.conversation()).append(records);
  }

  /** Stops writing pieces. Resolves when pending writes are done. */
  async stop(): Promise<void> {
    clearTimeout(this.#timer);
    await this.#writing;
  }

  /** The record of the complete reply, which replaces its pieces and may have another id. */
  record(reply: WrittenEntry, ledger: TokenLedger): EntryRecord {
    const { parent, sentTokens } = this.place;
    const countedTokens = sentTokens + ledger.ofParts(reply.parts);
    const pieces = this.#hasPieces && reply.id !== this.id ? { pieces: this.id } : {};
    return { type: 'entry', parent, entry: { ...reply, countedTokens }, ...pieces };
  }

  /** Writes the complete reply, which replaces its pieces. */
  async finish(reply: Omit<WrittenEntry, 'id'>): Promise<void> {
    await this.stop();
    const conversation = await this.place.conversation();
    await conversation.append([this.record({ id: this.id, ...reply }, conversation.ledger)]);
  }
}
