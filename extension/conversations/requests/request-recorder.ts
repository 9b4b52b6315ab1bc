import type { Context } from '../../engine/conversation/context';
import { localizable, wordingOf } from '../../engine/wording/localizable-text';
import type { UnplacedEntry } from '../../middleware/recognition/received';
import { newTurnBeginsAt } from '../../middleware/recognition/received-entries';
import { wouldLoseThinking } from '../../middleware/recognition/thinking';
import type { IncomingRequest, OwnModel, RecordedRequest, RequestIdentity } from '../../middleware/requests/recording';
import type { TooLong } from '../../middleware/requests/too-long';
import { untilAborted } from '../../models/until-aborted';
import { inTurn } from '../../platform/files/in-turn';
import { limitAfter, tokensAtLeast, withLimit } from '../compaction/fit';
import { eventConversation } from '../events';
import type { ServedConversation } from '../served-conversation';
import { nameOfConversation } from '../shelves/shelf';
import { weakly } from '../weakly';
import { AnswerWriter } from './answer-writer';
import { ConversationFinder, type RequestChoices, type RequestStore } from './conversation-finder';
import { keyedBeginning } from './identity';
import { lateCoreOf } from './late-core';
import { type Notices, RecordingNotices, tooLargeText } from './recording-notices';
import { entryRecords, surroundingRecords, systemPrompt } from './request-records';
import { contextOfRequest, contextWithoutConversation } from './request-view';

/** Time after its newest answer for which a conversation counts as active, in milliseconds. */
const recentMs = 10 * 60_000;

/** If more than this share of the window was added since the last usage report, the provider is asked for a new one. */
const unreportedShare = 1 / 8;

/** Finds the conversation that a request continues, stores the request, compacts if due, and returns the context to send. */
export class RequestRecorder<C extends ServedConversation> {
  /** Requests with the same first entry are handled in order, because one may continue the other. */
  readonly #inTurn = inTurn();
  readonly #finder: ConversationFinder<C>;
  readonly #notices: RecordingNotices<C>;
  /** Number of answers that are on their way, by conversation. */
  readonly #answering = new Map<string, number>();
  /** The conversation with the newest request or answer. */
  #newest: { readonly id: string; readonly at: string } | null = null;

  constructor(
    private readonly store: RequestStore<C>,
    notices: Notices<C>,
    private readonly now: () => string,
    private readonly newId: () => string,
    choices: RequestChoices,
  ) {
    this.#notices = new RecordingNotices(notices, now);
    const warn = (message: string) => notices.warn(message);
    this.#finder = new ConversationFinder(store, choices, (id) => this.#answering.has(id), warn);
  }

  /** Id of the conversation that was active within the last ten minutes. */
  recentConversation(): string | null {
    if (this.#newest === null) return null;
    const { id, at } = this.#newest;
    return this.#answering.has(id) || Date.parse(this.now()) - Date.parse(at) <= recentMs ? id : null;
  }

  record(request: IncomingRequest): Promise<RecordedRequest> {
    const begins = request.received.entries[0]?.id;
    if (begins === undefined) return Promise.resolve(this.#unrecorded(request));
    const recording = this.#inTurn(turnOf(begins, request), async () => {
      request.signal.throwIfAborted();
      const recorded = await this.#record(begins, request);
      // After an abort, no caller is left to finish the request.
      if (request.signal.aborted) recorded.done();
      return recorded;
    });
    return untilAborted(recording, request.signal);
  }

  async #record(begins: string, asked: IncomingRequest): Promise<RecordedRequest> {
    const conversation = await this.#conversationOf(begins, asked);
    if (conversation === null) return this.#unfound(asked);
    const request = withLimit(asked, conversation.limitOf(asked.model));
    const { isWritten, failure } = await this.#takeIn(conversation, request);
    const context = contextOfRequest(conversation, request.received.entries, () => this.#systemPrompt(request));
    const { id } = conversation;
    const sent = { conversation: id, context, ...(failure === null ? {} : { failure }) };
    if (!isWritten) return { ...sent, answer: null, done: () => undefined };
    const answer = this.#answerTo(conversation, request, context.tokens.counted);
    const late = lateCoreOf(conversation.workbench);
    const recorded = {
      ...sent,
      answer,
      prefixOf: prefixesIn(conversation),
      sentWith: (prefix: string) => answer.sentWith(prefix),
      learn: this.#learning(conversation, request, tokensAtLeast(context)),
      wantsUsage: isMuchUnreported(context, request),
      ...(late === null ? {} : { lateCore: late }),
    };
    if (request.isCompactedByProvider) return { ...recorded, done: this.#answers(id) };
    const { contextWindow, replyTokens = 0 } = request;
    const mostTokens = contextWindow === null ? undefined : contextWindow - replyTokens;
    const wantsOwnModel = await conversation.automatic.wantsOwnModel(mostTokens);
    const open = weakly(conversation);
    const answered = this.#answers(id);
    const done = (own?: OwnModel) => {
      answered();
      // The next compaction of a conversation that is still open. Does not keep it open.
      void open.deref()?.automatic.prepareAhead({ mostTokens, own });
    };
    return { ...recorded, wantsOwnModel, done };
  }

  /**
   * An answer may take minutes. Meanwhile neither the request nor its conversation is kept in memory; a closed conversation is opened
   * again.
   */
  #answerTo(conversation: C, { received, model, identity = {} }: IncomingRequest, sentTokens: number): AnswerWriter {
    const { id } = conversation;
    const parent = received.entries.at(-1)?.id ?? null;
    const open = weakly(conversation);
    const reopened = async () => open.deref() ?? (await this.#reopened(id, identity));
    const place = { conversation: reopened, parent, sentTokens, end: received.end, model };
    const notRecorded = (error: unknown) => {
      const name = identity.conversation ?? id;
      const message = localizable('An answer of the conversation {0} could not be kept: {1}', name, wordingOf(error));
      this.#notices.notRecorded('answer', message, error, eventConversation(id, { identity }));
    };
    const turn = turnOf(received.entries[0]?.id ?? '', { identity });
    const inTurn = (work: () => Promise<void>) => this.#inTurn(turn, work);
    return new AnswerWriter(place, `answer:${this.newId()}`, this.now, notRecorded, inTurn);
  }

  /** Records what a refusal says about the model. Keeps neither the request nor its conversation in memory. */
  #learning(conversation: C, { model, contextWindow, identity, isCompactedByProvider }: IncomingRequest, sent: number) {
    const { id } = conversation;
    const open = weakly(conversation);
    return async (tooLong: TooLong): Promise<boolean> => {
      const reopened = open.deref() ?? (await this.#reopened(id, identity ?? {}));
      const limit = limitAfter(tooLong, sent, contextWindow);
      await reopened.append([{ type: 'limit', model, contextWindow: limit }]);
      this.#notices.warn(
        `${model} refused a request as too long. It counts as a model of ${limit} tokens in this conversation from now on.`,
      );
      return reopened.automatic.isEnabled && !isCompactedByProvider;
    };
  }

  #reopened(id: string, { conversation: key, scope, branch }: RequestIdentity): Promise<C> {
    return key === undefined ? this.store.open(id, scope) : this.store.keyed(key, scope, branch);
  }

  #unfound(request: IncomingRequest): RecordedRequest {
    const unrecorded = this.#unrecorded(request);
    const isByChoice = this.#finder.isSkipped(request);
    return isByChoice ? unrecorded : { ...unrecorded, failure: 'The conversation could not be kept.' };
  }

  #unrecorded(request: IncomingRequest): RecordedRequest {
    const context = contextWithoutConversation(request.received.entries, this.#systemPrompt(request));
    return { context, answer: null, done: () => undefined };
  }

  #systemPrompt(request: IncomingRequest): UnplacedEntry {
    return systemPrompt(request, 0, this.now());
  }

  /** Null if the request is not recorded by choice, or if its conversation can be neither opened nor created. */
  async #conversationOf(begins: string, request: IncomingRequest): Promise<C | null> {
    const { identity: { conversation: key, scope, branch } = {}, signal } = request;
    const found = key === undefined ? await this.#finder.find(begins, request) : null;
    if (found !== null || (key === undefined && this.#finder.isSkipped(request))) return found;
    try {
      return await (key === undefined ? this.store.create(begins, scope) : this.store.keyed(key, scope, branch));
    } catch (error) {
      signal.throwIfAborted();
      const reason = wordingOf(error);
      const beginning = key === undefined ? null : keyedBeginning(key, scope, this.now(), branch);
      const message =
        beginning === null
          ? localizable('A conversation could not be kept: {0}', reason)
          : localizable('The conversation {0} could not be kept: {1}', nameOfConversation(beginning), reason);
      const about = beginning === null ? null : eventConversation(beginning.id, request);
      this.#notices.notRecorded('conversation', message, error, about);
      return null;
    }
  }

  /**
   * Writes everything before the newest turn first if it may be compacted, because compaction happens between turns. If writing failed, the
   * request is sent anyway.
   */
  async #takeIn(conversation: C, request: IncomingRequest): Promise<Taken> {
    const turn = newTurnBeginsAt(request.received);
    try {
      if (turn !== null && turn > 0 && conversation.automatic.isEnabled) {
        await this.#write(conversation, request, turn);
        await this.#compactIfDue(conversation, request);
      }
      await this.#write(conversation, request);
      if (turn === null) await this.#clearIfCheaper(conversation, request);
    } catch (error) {
      request.signal.throwIfAborted();
      const name = request.identity?.conversation ?? conversation.id;
      const message = localizable('A request of the conversation {0} could not be kept: {1}', name, wordingOf(error));
      this.#notices.notRecorded('request', message, error, eventConversation(conversation.id, request));
      return { isWritten: false, failure: String(message) };
    }
    return { isWritten: true, failure: await this.#makeFit(conversation, request) };
  }

  /** `end`: number of entries to write. Absent: all of them. */
  async #write(conversation: C, request: IncomingRequest, end?: number): Promise<void> {
    const { entries } = request.received;
    const around = surroundingRecords(conversation, request, this.now());
    const records = [...around, ...entryRecords(conversation, entries, end)];
    if (records.length > 0) await conversation.append(records);
    await conversation.workbench.countAhead(request.signal);
  }

  async #compactIfDue(conversation: C, request: IncomingRequest): Promise<void> {
    const { signal, isCompactedByProvider = false } = request;
    if (isCompactedByProvider) return;
    const run = await untilAborted(conversation.automatic.compactIfDue(signal), signal);
    if (run) this.#notices.compacted('between-turns', conversation, request, run);
  }

  /** Does nothing if the model would lose its thinking: in the middle of its work, that weighs more than the cost. */
  async #clearIfCheaper(conversation: C, request: IncomingRequest): Promise<void> {
    const { signal, received, model, isCompactedByProvider = false } = request;
    if (isCompactedByProvider || wouldLoseThinking(received, model)) return;
    const run = await untilAborted(conversation.automatic.clearIfCheaper(signal), signal);
    if (run) this.#notices.compacted('within-turn', conversation, request, run);
  }

  /** Within a turn, compacts only if the request does not fit the window. Returns why it does not fit; null if it does. */
  async #makeFit(conversation: C, request: IncomingRequest): Promise<string | null> {
    const { contextWindow, replyTokens = 0, signal, isCompactedByProvider = false } = request;
    if (contextWindow === null) return null;
    const order = { mostTokens: contextWindow - replyTokens, signal, isCompactedByProvider };
    const outcome = await untilAborted(conversation.automatic.makeFit(order), signal);
    if (outcome.kind === 'fits') return null;
    if (outcome.kind === 'paused') return tooLargeText(tokensAtLeast(conversation.workbench.context), request);
    if (outcome.run) this.#notices.compacted('too-large', conversation, request, outcome.run);
    if (outcome.kind !== 'too-large') return null;
    return this.#notices.tooLarge(outcome.tokens, conversation, { ...request, contextWindow });
  }

  /** An answer is on its way until the returned function is called. */
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

/** Whether a request was written and, if not, why; and why it does not fit. */
interface Taken {
  readonly isWritten: boolean;
  readonly failure: string | null;
}

function isMuchUnreported({ tokens }: Context, { contextWindow }: IncomingRequest): boolean {
  return contextWindow !== null && tokens.countedSince > contextWindow * unreportedShare;
}

/** The map is built at the first call: only models that bind their thinking need it. */
function prefixesIn({ conversation }: ServedConversation): (reply: string) => string | undefined {
  let prefixes: ReadonlyMap<string, string | undefined> | undefined;
  return (reply) => {
    prefixes ??= new Map(conversation.entries.map(({ id, sentPrefix }) => [id, sentPrefix]));
    return prefixes.get(reply);
  };
}

/** Requests that may belong to one conversation have the same turn. */
function turnOf(begins: string, { identity = {} }: Pick<IncomingRequest, 'identity'>): string {
  const { conversation, scope, branch } = identity;
  return JSON.stringify([scope, conversation, branch, conversation === undefined ? begins : null]);
}
