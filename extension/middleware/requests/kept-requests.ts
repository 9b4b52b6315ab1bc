import type { Context } from '../../engine/conversation/context';
import type { Conversation } from '../../engine/conversation/conversation';
import type { PreparedRun } from '../../engine/run/prepared-run';
import { untilAborted } from '../../models/until-aborted';
import { inTurn } from '../../sessions/files/in-turn';
import type { Beginning } from '../../sessions/strata/records';
import { byAge, continuationOf, hasReply, type KnownConversation, knowsReplies } from '../recognition/continuation';
import type { UnplacedEntry } from '../recognition/received';
import { newTurnBeginsAt, type ReceivedConversation } from '../recognition/received-entries';
import { AnswerRecord } from './answer-record';
import { failureText } from './failure-text';
import { tokensAtLeast } from './fit';
import type { KeptConversation, RequestStore } from './kept-conversation';
import { entryRecords, type Surroundings, surroundingRecords, systemPrompt } from './request-records';
import { contextOfRequest, contextWithoutConversation } from './request-view';

export interface Notices {
  info(message: string): void;
  warn(message: string): void;
  /** A request or an answer could not be written; the person is told. */
  notKept(message: string): void;
}

export interface IncomingRequest extends Surroundings {
  readonly received: ReceivedConversation;
  readonly signal: AbortSignal;
  /** What must stay free for the answer, in tokens; absent: nothing. */
  readonly replyTokens?: number;
  /** The provider compacts this conversation, or edits its context: Strata does not do so by itself, too. */
  readonly isCompactedElsewhere?: boolean;
}

export interface KeptRequest {
  /** What the model is to be sent. */
  readonly context: Context;
  /** Null where the request could not be kept: then its answer has no place either. */
  readonly answer: AnswerRecord | null;
  /** The answer is over, however it ended. */
  readonly done: () => void;
}

/** For how long a conversation counts as the one that is at work, after its newest answer; in milliseconds. */
const recentMs = 10 * 60_000;

/** What must have been added before a compaction that came to nothing is tried again, as a share of the window. */
const worthAnotherTry = 0.05;

/** Recognises what a request goes on with, keeps it, compacts in between, and says what the model is to be sent. */
export class KeptRequests<C extends KeptConversation> {
  /** Requests that begin alike come one after the other, because each may be what the next goes on with. */
  readonly #inTurn = inTurn();
  readonly #answering = new Map<string, number>();
  /** The conversation that a model was at work in last. */
  #newest: { readonly id: string; readonly at: string } | null = null;
  /** By conversation: how large the context was when compacting did not make it fit. */
  readonly #fruitlessAt = new Map<string, number>();

  constructor(
    private readonly store: RequestStore<C>,
    private readonly notices: Notices,
    private readonly now: () => string,
    private readonly newId: () => string,
  ) {}

  /** The id of the conversation that a model was at work in within the last ten minutes. */
  recentConversation(): string | null {
    if (this.#newest === null) return null;
    const { id, at } = this.#newest;
    const isAnswering = (this.#answering.get(id) ?? 0) > 0;
    return isAnswering || Date.parse(this.now()) - Date.parse(at) <= recentMs ? id : null;
  }

  keep(request: IncomingRequest): Promise<KeptRequest> {
    const begins = request.received.entries[0]?.id;
    if (begins === undefined) return Promise.resolve(this.#unkept(request));
    return untilAborted(
      this.#inTurn(begins, () => this.#keepUnlessAborted(begins, request)),
      request.signal,
    );
  }

  /** Nobody waits any more for what was kept after an abort. */
  async #keepUnlessAborted(begins: string, request: IncomingRequest): Promise<KeptRequest> {
    request.signal.throwIfAborted();
    const kept = await this.#keep(begins, request);
    if (request.signal.aborted) kept.done();
    return kept;
  }

  async #keep(begins: string, request: IncomingRequest): Promise<KeptRequest> {
    const conversation = await this.#find(begins, request);
    if (conversation === null) return this.#unkept(request);
    const isWritten = await this.#takeIn(conversation, request);
    const { received, model } = request;
    const context = contextOfRequest(conversation, received.entries, this.#systemPrompt(request));
    if (!isWritten) return { context, answer: null, done: () => undefined };
    const parent = received.entries.at(-1)?.id ?? null;
    const place = { conversation, parent, sent: context.messages, end: received.end, model };
    const notKept = (error: unknown) => this.#notKept('The answer', error);
    const inTurn = (work: () => Promise<void>) => this.#inTurn(begins, work);
    const answer = new AnswerRecord(place, `answer:${this.newId()}`, this.now, notKept, inTurn);
    return { context, answer, done: this.#answers(conversation.id) };
  }

  #unkept(request: IncomingRequest): KeptRequest {
    const { received } = request;
    const context = contextWithoutConversation(received.entries, this.#systemPrompt(request));
    return { context, answer: null, done: () => undefined };
  }

  #systemPrompt(request: IncomingRequest): UnplacedEntry {
    return systemPrompt(request, 0, this.now());
  }

  /** Null where none can be opened and none can be made. */
  async #find(begins: string, { received, signal }: IncomingRequest): Promise<C | null> {
    const opened = await this.#opened(begins, received.entries);
    signal.throwIfAborted();
    const known = [...opened].map(([beginning, { conversation }]) => this.#known(beginning, conversation));
    const continuation = continuationOf(received.entries, known);
    const found = [...opened.values()].find(({ id }) => continuation.kind === 'continues' && id === continuation.id);
    if (found) return found;
    try {
      return await this.store.create(begins);
    } catch (error) {
      this.#notKept('A conversation', error);
      return null;
    }
  }

  /** Those that it may go on with, newest first: no more are opened than it takes to tell. */
  async #opened(begins: string, entries: readonly UnplacedEntry[]): Promise<Map<Beginning, C>> {
    const opened = new Map<Beginning, C>();
    for (const beginning of (await this.store.beginnings(begins)).sort(byAge)) {
      const conversation = await this.#open(beginning);
      if (conversation === null) continue;
      opened.set(beginning, conversation);
      const known = new Set(conversation.conversation.entries.map(({ id }) => id));
      if (!hasReply(entries) || knowsReplies(entries, known)) break;
    }
    return opened;
  }

  async #open({ id }: Beginning): Promise<C | null> {
    try {
      return await this.store.open(id);
    } catch (error) {
      this.notices.warn(`The conversation ${id} could not be opened: ${failureText(error)}`);
      return null;
    }
  }

  #known({ id, created }: Beginning, { entries }: Conversation): KnownConversation {
    return { id, created, entries, isAnswering: (this.#answering.get(id) ?? 0) > 0 };
  }

  /**
   * Compactions come between two turns, so what is before the newest turn is written first. False where it could not be
   * written: the request goes out all the same.
   */
  async #takeIn(conversation: C, request: IncomingRequest): Promise<boolean> {
    const { entries } = request.received;
    const turn = newTurnBeginsAt(request.received);
    try {
      if (turn !== null && turn > 0) {
        await this.#write(conversation, request, entries.slice(0, turn));
        await this.#compacting(request, 'between turns', () => this.store.compactIfDue(conversation, request.signal));
      }
      await this.#write(conversation, request, entries);
    } catch (error) {
      request.signal.throwIfAborted();
      this.#notKept('A request', error);
      return false;
    }
    await this.#makeFit(conversation, request);
    return true;
  }

  async #write(conversation: C, request: IncomingRequest, entries: readonly UnplacedEntry[]): Promise<void> {
    const records = [
      ...surroundingRecords(conversation, request, this.now()),
      ...entryRecords(conversation.conversation, entries),
    ];
    if (records.length > 0) await conversation.append(records);
  }

  /** In the middle of a turn nothing is compacted, unless the model could not take the request as it is. */
  async #makeFit(conversation: C, request: IncomingRequest): Promise<void> {
    if (this.#fits(conversation, request) || this.#isFruitless(conversation, request)) return;
    await this.#compacting(request, 'because the context does not fit the model’s window', () =>
      this.store.compactNow(conversation, request.signal),
    );
    if (this.#fits(conversation, request)) return;
    const tokens = tokensAtLeast(conversation.context);
    this.#fruitlessAt.set(conversation.id, tokens);
    this.notices.warn(tooLarge(tokens, request));
  }

  /** What came to nothing is tried again when there is more that it could take. */
  #isFruitless({ id, context }: C, { contextWindow }: IncomingRequest): boolean {
    const before = this.#fruitlessAt.get(id);
    this.#fruitlessAt.delete(id);
    if (before === undefined || tokensAtLeast(context) >= before + (contextWindow ?? 0) * worthAnotherTry) return false;
    this.#fruitlessAt.set(id, before);
    return true;
  }

  #fits({ context }: C, { contextWindow, replyTokens = 0 }: IncomingRequest): boolean {
    return contextWindow === null || tokensAtLeast(context) <= contextWindow - replyTokens;
  }

  async #compacting(
    { signal, isCompactedElsewhere = false }: IncomingRequest,
    moment: string,
    compact: () => Promise<PreparedRun | null>,
  ): Promise<void> {
    if (isCompactedElsewhere) return;
    try {
      const run = await untilAborted(compact(), signal);
      if (run === null) return;
      this.notices.info(`Compacted ${moment}: ${run.before.tokens.total} → ${run.after.tokens.total} tokens.`);
    } catch (error) {
      signal.throwIfAborted();
      this.notices.warn(`Nothing was compacted ${moment}: ${failureText(error)}`);
    }
  }

  #notKept(what: string, error: unknown): void {
    this.notices.notKept(`${what} could not be kept: ${failureText(error)}`);
  }

  #answers(id: string): () => void {
    this.#changeAnswering(id, 1);
    return () => this.#changeAnswering(id, -1);
  }

  #changeAnswering(id: string, difference: 1 | -1): void {
    const answering = (this.#answering.get(id) ?? 0) + difference;
    if (answering > 0) this.#answering.set(id, answering);
    else this.#answering.delete(id);
    this.#newest = { id, at: this.now() };
  }
}

function tooLarge(total: number, { model, contextWindow, replyTokens = 0 }: IncomingRequest): string {
  const reply = replyTokens === 0 ? '' : `, of which ${replyTokens} are for its answer`;
  return `The context has ${total} tokens, and nothing more of it can be compacted; ${model} takes ${contextWindow}${reply}.`;
}
