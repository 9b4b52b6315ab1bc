import type { Part, ReasoningPart, TextPart, ToolCallPart, Usage } from '../../engine/conversation/entry';
import { toolCalls, withTextsMerged } from '../../engine/conversation/entry';
import { nextLink } from '../../middleware/recognition/chain';
import type { AnswerOutcome, AnswerRecorder } from '../../middleware/requests/recording';
import type { ChatPiece } from '../../models/chat-model';
import type { ConversationRecord } from '../../sessions/strata/records';
import type { ServedConversation } from '../served-conversation';
import { type ReplyPlace, ReplyWriter } from './reply-writer';
import { newestMessage } from './system-prompt';

/** The position of an answer. */
interface AnswerPlace extends ReplyPlace {
  readonly conversation: () => Promise<Pick<ServedConversation, 'append' | 'conversation' | 'known' | 'ledger'>>;
  /** Id of the newest entry of the request. */
  readonly end: string;
  readonly model: string;
}

/**
 * Writes a model's answer while it streams: in pieces with an id of their own, because the link of an answer is only known at
 * its end. No method rejects: the client gets its answer even if it cannot be recorded.
 */
export class AnswerWriter implements AnswerRecorder {
  readonly #parts: (TextPart | ReasoningPart | ToolCallPart)[] = [];
  readonly #writer: ReplyWriter;
  #usage: Usage | null = null;
  #sentPrefix: string | undefined;

  constructor(
    private readonly place: AnswerPlace,
    /** Id of the pieces. */
    id: string,
    private readonly now: () => string,
    private readonly notRecorded: (error: unknown) => void,
    /** Runs work while no request of the same conversation is written, because the next one may contain this answer. */
    private readonly inTurn: (work: () => Promise<void>) => Promise<void>,
  ) {
    this.#writer = new ReplyWriter(place, id, notRecorded);
  }

  /** The changes to the request to which the model's thinking is bound. */
  sentWith(prefix: string): void {
    this.#sentPrefix = prefix;
  }

  add(piece: ChatPiece): void {
    if (piece.type === 'usage') {
      this.#usage = piece.usage;
      return;
    }
    this.#parts.push(piece);
    if (piece.type !== 'tool_call') this.#writer.add(piece);
  }

  /** Writes what was received. An answer without tool calls ends the turn, and so does an incomplete one. */
  async end(outcome: AnswerOutcome): Promise<void> {
    await this.#writer.stop();
    await this.inTurn(() => this.#write(outcome).catch(this.notRecorded));
  }

  async #write(outcome: AnswerOutcome): Promise<void> {
    const conversation = await this.place.conversation();
    const parts = withTextsMerged(this.#parts);
    const leaf = newestMessage(conversation.conversation);
    const wentOn = leaf !== this.place.parent && leaf !== this.#writer.id;
    const records: ConversationRecord[] = parts.length === 0 ? [] : this.#records(parts, conversation);
    // A request that arrived before the end of this answer continues without the rest of it.
    if (wentOn && records.length > 0) records.push({ type: 'leaf', id: leaf });
    const endsTurn = outcome !== 'answered' || toolCalls(parts).length === 0;
    if (endsTurn && !wentOn) records.push({ type: 'turn-ended', time: this.now(), outcome });
    if (records.length > 0) await conversation.append(records);
  }

  /** Skips an answer that was already recorded, by a retry or by the next request. */
  #records(
    parts: readonly Part[],
    { conversation, known, ledger }: Awaited<ReturnType<AnswerPlace['conversation']>>,
  ): ConversationRecord[] {
    const { end, model } = this.place;
    const id = nextLink(end, { role: 'assistant', parts: this.#parts });
    if (known.has(id)) {
      const isInContext = conversation.agentContext.some((entry) => entry.id === id);
      return isInContext ? [] : [{ type: 'leaf', id }];
    }
    const usage = this.#usage === null ? {} : { usage: this.#usage };
    const sent = this.#sentPrefix === undefined ? {} : { sentPrefix: this.#sentPrefix };
    const reply = { id, role: 'assistant', parts, timestamp: this.now(), model, ...usage, ...sent } as const;
    return [this.#writer.record(reply, ledger)];
  }
}
