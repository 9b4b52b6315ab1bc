import type { Entry, Part, ReasoningPart, TextPart, ToolCallPart, Usage } from '../../engine/conversation/entry';
import { toolCalls, withTextsMerged } from '../../engine/conversation/entry';
import { nextLink } from '../../middleware/recognition/chain';
import type { AnswerKeeper, AnswerOutcome } from '../../middleware/requests/keeping';
import type { ChatPiece } from '../../models/chat-model';
import type { ConversationRecord } from '../../sessions/strata/records';
import { type ReplyPlace, ReplyWriter } from './reply-writer';
import { newestMessage } from './system-prompt';

/** Where an answer belongs. */
export interface AnswerPlace extends ReplyPlace {
  /** The newest link of the chain that is answered. */
  readonly end: string;
  readonly model: string;
}

/**
 * Writes a model's answer while it comes: in pieces under an id of their own, because nobody knows the link of an answer
 * before its end. Nothing here rejects: an answer that is not kept is an answer all the same.
 */
export class AnswerRecord implements AnswerKeeper {
  readonly #parts: (TextPart | ReasoningPart | ToolCallPart)[] = [];
  readonly #writer: ReplyWriter;
  #usage: Usage | null = null;

  constructor(
    private readonly place: AnswerPlace,
    /** Of the pieces. */
    id: string,
    private readonly now: () => string,
    private readonly notKept: (error: unknown) => void,
    /** Works while no request of the same conversation is written: the next one may bring this answer with it. */
    private readonly inTurn: (work: () => Promise<void>) => Promise<void>,
  ) {
    this.#writer = new ReplyWriter(place, id, notKept);
  }

  add(piece: ChatPiece): void {
    if (piece.type === 'usage') {
      this.#usage = piece.usage;
      return;
    }
    this.#parts.push(piece);
    if (piece.type !== 'tool_call') this.#writer.add(piece);
  }

  /** Keeps what came. An answer that calls no tool ends the turn, and so does one that was broken off. */
  async end(outcome: AnswerOutcome): Promise<void> {
    await this.#writer.stop();
    await this.inTurn(() => this.#write(outcome));
  }

  async #write(outcome: AnswerOutcome): Promise<void> {
    const parts = withTextsMerged(this.#parts);
    const leaf = newestMessage(this.place.conversation.conversation);
    const wentOn = leaf !== this.place.parent && leaf !== this.#writer.id;
    const records: ConversationRecord[] = parts.length === 0 ? [] : this.#records(parts);
    // A request that came before the end of this answer goes on without the rest of it.
    if (wentOn && records.length > 0) records.push({ type: 'leaf', id: leaf });
    const endsTurn = outcome !== 'answered' || toolCalls(parts).length === 0;
    if (endsTurn && !wentOn) records.push({ type: 'turn-ended', time: this.now(), outcome });
    if (records.length > 0) await this.place.conversation.append(records).catch(this.notKept);
  }

  /** The same answer to a second try is no second entry, and none where the next request has brought it already. */
  #records(parts: readonly Part[]): ConversationRecord[] {
    const { end, model, conversation } = this.place;
    const id = nextLink(end, { role: 'assistant', parts: this.#parts });
    const { entries, agentContext } = conversation.conversation;
    const has = (entry: Entry) => entry.id === id;
    if (entries.some(has)) return agentContext.some(has) ? [] : [{ type: 'leaf', id }];
    const usage = this.#usage === null ? {} : { usage: this.#usage };
    return [this.#writer.record({ id, role: 'assistant', parts, timestamp: this.now(), model, ...usage })];
  }
}
