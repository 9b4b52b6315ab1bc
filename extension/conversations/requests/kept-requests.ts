import type { Conversation } from '../../engine/conversation/conversation';
import type { PreparedRun } from '../../engine/run/prepared-run';
import { type LocalizableText, localizable, wordingOf } from '../../engine/wording/localizable-text';
import type { UnplacedEntry } from '../../middleware/recognition/received';
import { newTurnBeginsAt } from '../../middleware/recognition/received-entries';
import type { IncomingRequest, KeptRequest } from '../../middleware/requests/keeping';
import { answerNotKept } from '../../middleware/requests/kept-answer';
import { untilAborted } from '../../models/until-aborted';
import { inTurn } from '../../sessions/files/in-turn';
import type { Beginning } from '../../sessions/strata/records';
import type { KeptConversation } from '../kept-conversation';
import { AnswerRecord } from './answer-record';
import { byAge, continuationOf, hasReply, type KnownConversation, knowsReplies } from './continuation';
import { entryRecords, surroundingRecords, systemPrompt } from './request-records';
import { contextOfRequest, contextWithoutConversation } from './request-view';

/** Stores the conversations of requests. */
export interface RequestStore<C extends KeptConversation> {
  /** Conversations that begin with this entry, including ones that another process has just created. */
  beginnings(begins: string): Promise<Beginning[]>;
  create(begins: string): Promise<C>;
  /** The conversation, refreshed. */
  open(id: string): Promise<C>;
}

export interface Notices<C extends KeptConversation> {
  /** A conversation was compacted automatically. The message has the moment and the sizes. */
  compacted(message: string, conversation: C, run: PreparedRun): void;
  warn(message: string): void;
  /** A request or an answer could not be written; the person is told. */
  notKept(message: LocalizableText): void;
}

/** Time after its newest answer for which a conversation counts as active, in milliseconds. */
const recentMs = 10 * 60_000;

/** Finds the conversation that a request continues, stores the request, compacts if due, and returns the context to send. */
export class KeptRequests<C extends KeptConversation> {
  /** Requests with the same first entry are handled in order, because one may continue the other. */
  readonly #inTurn = inTurn();
  readonly #answering = new Map<string, number>();
  /** The conversation with the newest request or answer. */
  #newest: { readonly id: string; readonly at: string } | null = null;

  constructor(
    private readonly store: RequestStore<C>,
    private readonly notices: Notices<C>,
    private readonly now: () => string,
    private readonly newId: () => string,
  ) {}

  /** Id of the conversation that was active within the last ten minutes. */
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

  /** After an abort, no caller is left to finish the request. */
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
    const context = contextOfRequest(conversation.workbench, received.entries, this.#systemPrompt(request));
    if (!isWritten) return { context, answer: null, done: () => undefined };
    const parent = received.entries.at(-1)?.id ?? null;
    const place = { conversation, parent, sent: context.messages, end: received.end, model };
    const notKept = (error: unknown) => this.notices.notKept(answerNotKept(error));
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

  /** Null if none can be opened or created. */
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
      this.notices.notKept(localizable('A conversation could not be kept: {0}', wordingOf(error)));
      return null;
    }
  }

  /** Candidates that the request may continue, newest first. Opens only as many as needed to decide. */
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
      this.notices.warn(`The conversation ${id} could not be opened: ${wordingOf(error)}`);
      return null;
    }
  }

  #known({ id, created }: Beginning, { entries }: Conversation): KnownConversation {
    return { id, created, entries, isAnswering: (this.#answering.get(id) ?? 0) > 0 };
  }

  /**
   * Writes everything before the newest turn first, because compaction takes place between turns. False if writing failed;
   * the request is sent in any case.
   */
  async #takeIn(conversation: C, request: IncomingRequest): Promise<boolean> {
    const { entries } = request.received;
    const turn = newTurnBeginsAt(request.received);
    try {
      if (turn !== null && turn > 0) {
        await this.#write(conversation, request, entries.slice(0, turn));
        await this.#compactIfDue(conversation, request);
      }
      await this.#write(conversation, request, entries);
    } catch (error) {
      request.signal.throwIfAborted();
      this.notices.notKept(localizable('A request could not be kept: {0}', wordingOf(error)));
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
    await conversation.workbench.countAhead(request.signal);
  }

  async #compactIfDue(conversation: C, { signal, isCompactedElsewhere = false }: IncomingRequest): Promise<void> {
    if (isCompactedElsewhere) return;
    const run = await untilAborted(conversation.automatic.compactIfDue(signal), signal);
    if (run) this.#tellCompacted('between turns', conversation, run);
  }

  /** Within a turn, compacts only if the request does not fit the window. */
  async #makeFit(conversation: C, request: IncomingRequest): Promise<void> {
    const { contextWindow, replyTokens = 0, signal, isCompactedElsewhere = false } = request;
    if (contextWindow === null) return;
    const order = { mostTokens: contextWindow - replyTokens, signal, isCompactedElsewhere };
    const outcome = await untilAborted(conversation.automatic.makeFit(order), signal);
    if (outcome.kind === 'fits' || outcome.kind === 'paused') return;
    if (outcome.run) this.#tellCompacted(becauseTooLarge, conversation, outcome.run);
    if (outcome.kind === 'too-large') this.notices.warn(tooLargeText(outcome.tokens, request));
  }

  #tellCompacted(moment: string, conversation: C, run: PreparedRun): void {
    const { before, after } = run;
    this.notices.compacted(
      `Compacted ${moment}: ${before.tokens.total} → ${after.tokens.total} tokens.`,
      conversation,
      run,
    );
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

const becauseTooLarge = 'because the context does not fit the model’s window';

/** The request has this many tokens and cannot be made smaller. */
export function tooLargeText(
  tokens: number,
  { model, contextWindow, replyTokens = 0 }: Pick<IncomingRequest, 'model' | 'contextWindow' | 'replyTokens'>,
): string {
  const reply = replyTokens === 0 ? '' : `, of which ${replyTokens} are for its answer`;
  return `The context has ${tokens} tokens, and nothing more of it can be compacted; ${model} takes ${contextWindow}${reply}.`;
}
