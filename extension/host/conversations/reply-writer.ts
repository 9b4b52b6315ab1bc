import type { ContextMessage } from '../../engine/conversation/context';
import type { ReasoningPart, TextPart } from '../../engine/conversation/entry';
import type { OwnConversation } from '../../inspection/own-conversation';
import type { EntryRecord, WrittenEntry } from '../../sessions/strata/records';

/** What streams is gathered for this long before it is written, in milliseconds: short enough to be watched. */
const gatherMs = 250;

export interface ReplyPlace {
  readonly conversation: Pick<OwnConversation, 'append' | 'inspection'>;
  /** The entry that is answered. */
  readonly parent: string | null;
  /** What the model is sent. */
  readonly sent: readonly ContextMessage[];
}

/** Keeps a reply on disk while it streams, so that the panel shows it grow and a killed editor loses little of it. */
export class ReplyWriter {
  #pending: (TextPart | ReasoningPart) | null = null;
  #writing: Promise<void> = Promise.resolve();
  #timer: NodeJS.Timeout | undefined;
  #hasPieces = false;

  constructor(
    private readonly place: ReplyPlace,
    /** Of the reply while it streams. */
    readonly id: string,
    private readonly onFailure: (error: unknown) => void,
  ) {}

  add(part: TextPart | ReasoningPart): void {
    if (this.#pending && this.#pending.type !== part.type) this.#write();
    this.#pending = this.#pending ? { ...part, text: this.#pending.text + part.text } : part;
    this.#timer ??= setTimeout(() => this.#write(), gatherMs);
  }

  #write(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const part = this.#pending;
    this.#pending = null;
    if (!part) return;
    this.#hasPieces = true;
    const { conversation, parent } = this.place;
    const record = { type: 'piece', id: this.id, parent, time: new Date().toISOString(), part } as const;
    // One after the other. The whole reply is written at the end in any case.
    this.#writing = this.#writing.then(() => conversation.append([record])).catch(this.onFailure);
  }

  /** Writes no more pieces; resolves when those that were begun are written. */
  async stop(): Promise<void> {
    clearTimeout(this.#timer);
    await this.#writing;
  }

  /** The record of the whole reply, which takes the place of its pieces, also under an id of its own. */
  record(reply: WrittenEntry): EntryRecord {
    const { conversation, parent, sent } = this.place;
    const prompt = sent.reduce((total, { tokens }) => total + tokens, 0);
    const countedTokens = prompt + conversation.inspection.ledger.ofParts(reply.parts);
    const pieces = this.#hasPieces && reply.id !== this.id ? { pieces: this.id } : {};
    return { type: 'entry', parent, entry: { ...reply, countedTokens }, ...pieces };
  }

  /** Writes the whole reply in place of its pieces. */
  async finish(reply: Omit<WrittenEntry, 'id'>): Promise<void> {
    await this.stop();
    await this.place.conversation.append([this.record({ id: this.id, ...reply })]);
  }
}
