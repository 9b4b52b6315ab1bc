import type { Context } from '../../engine/conversation/context';
import type { PreparedRun } from '../../engine/run/prepare/prepared-run';
import { type LocalizableText, localizable, wordingOf } from '../../engine/wording/localizable-text';
import type { UnplacedEntry } from '../../middleware/recognition/received';
import { newTurnBeginsAt } from '../../middleware/recognition/received-entries';
import type { IncomingRequest, OwnModel, RecordedRequest, RequestIdentity } from '../../middleware/requests/recording';
import type { TooLong } from '../../middleware/requests/too-long';
import { untilAborted } from '../../models/until-aborted';
import { inTurn } from '../../platform/files/in-turn';
import type { Beginning } from '../../sessions/strata/records';
import { tokensAtLeast } from '../compaction/fit';
import { type ContextEvent, eventConversation, type Shrunk, shrunkEvent } from '../events';
import type { ServedConversation } from '../served-conversation';
import { nameOfConversation } from '../shelves/shelf';
import { weakly } from '../weakly';
import { AnswerWriter } from './answer-writer';
import {
  byAge,
  continuationOf,
  hasParted,
  hasReply,
  isOneOff,
  type KnownConversation,
  knowsReplies,
} from './continuation';
import { keyedBeginning } from './identity';
import { lateCoreOf } from './late-core';
import { limitAfter, withLimit } from './limits';
import { countedTokensOf } from './reply-writer';
import { entryRecords, surroundingRecords, systemPrompt } from './request-records';
import { contextOfRequest, contextWithoutConversation } from './request-view';

/** Stores the conversations of requests. Those of one scope are never those of another. */
export interface RequestStore<C extends ServedConversation> {
  /** Conversations that begin with this entry, including ones that another process has just created. */
  beginnings(begins: string, scope?: string): Promise<Beginning[]>;
  create(begins: string, scope?: string): Promise<C>;
  /** The conversation, refreshed. */
  open(id: string, scope?: string): Promise<C>;
  /** The conversation with this key, refreshed; created if there is none. `branch`: of several with this key. */
  keyed(key: string, scope?: string, branch?: string): Promise<C>;
}

export interface RequestChoices {
  /** All requests are one person's: one without the newest messages goes back. See `continuationOf`. */
  readonly goesBack: boolean;
  /** False: a request that nothing continues yet, and that offers no tools, is forwarded without being recorded. See `isOneOff`. Absent: true. */
  readonly keepsOneOffs?: boolean;
}

export interface Notices<C extends ServedConversation> {
  /** A conversation was compacted automatically. The message has the moment and the sizes. */
  compacted(message: string, conversation: C, run: PreparedRun): void;
  warn(message: string): void;
  /** A request or an answer could not be written; the person is informed. */
  notKept(message: LocalizableText): void;
  /** The same, and more, as values. */
  event?(event: ContextEvent): void;
}

/** Time after its newest answer for which a conversation counts as active, in milliseconds. */
const recentMs = 10 * 60_000;

/** Share of the window above which estimates need a report to be calibrated by. */
const unreportedShare = 1 / 8;

function isMuchUnreported({ tokens }: Context, { contextWindow }: IncomingRequest): boolean {
  return contextWindow !== null && tokens.countedSince > contextWindow * unreportedShare;
}

/** Finds the conversation that a request continues, stores the request, compacts if due, and returns the context to send. */
export class RequestRecorder<C extends ServedConversation> {
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
    private readonly choices: RequestChoices,
  ) {}

  /** Id of the conversation that was active within the last ten minutes. */
  recentConversation(): string | null {
    if (this.#newest === null) return null;
    const { id, at } = this.#newest;
    const isAnswering = (this.#answering.get(id) ?? 0) > 0;
    return isAnswering || Date.parse(this.now()) - Date.parse(at) <= recentMs ? id : null;
  }

  keep(request: IncomingRequest): Promise<RecordedRequest> {
    const begins = request.received.entries[0]?.id;
    if (begins === undefined) return Promise.resolve(this.#unkept(request));
    return untilAborted(
      this.#inTurn(turnOf(begins, request), () => this.#keepUnlessAborted(begins, request)),
      request.signal,
    );
  }

  /** After an abort, no caller is left to finish the request. */
  async #keepUnlessAborted(begins: string, request: IncomingRequest): Promise<RecordedRequest> {
    request.signal.throwIfAborted();
    const kept = await this.#keep(begins, request);
    if (request.signal.aborted) kept.done();
    return kept;
  }

  async #keep(begins: string, asked: IncomingRequest): Promise<RecordedRequest> {
    const conversation = await this.#find(begins, asked);
    if (conversation === null) return this.#notKept(asked);
    const request = withLimit(asked, conversation.limitOf(asked.model));
    const taken = await this.#takeIn(conversation, request);
    const context = contextOfRequest(conversation, request.received.entries, () => this.#systemPrompt(request));
    const { id } = conversation;
    const { failure } = taken;
    const failed = failure === null ? {} : { failure };
    if (!taken.isWritten) return { conversation: id, context, answer: null, done: () => undefined, ...failed };
    const answer = this.#answerTo(conversation, request, countedTokensOf(context.messages));
    const sent = { prefixOf: prefixesIn(conversation), sentWith: (prefix: string) => answer.sentWith(prefix) };
    const learn = this.#learning(conversation, request, tokensAtLeast(context));
    const wantsUsage = isMuchUnreported(context, request);
    const late = lateCoreOf(conversation.workbench);
    const lateCore = late === null ? {} : { lateCore: late };
    const kept = { conversation: id, context, answer, ...sent, learn, wantsUsage, ...lateCore, ...failed };
    if (request.isCompactedByProvider) return { ...kept, done: this.#answers(id) };
    const mostTokens = mostTokensOf(request);
    const wantsOwnModel = await conversation.automatic.wantsOwnModel(mostTokens);
    const done = preparing(weakly(conversation), mostTokens, this.#answers(id));
    return { ...kept, wantsOwnModel, done };
  }

  /** An answer may take minutes. It holds neither the request nor its conversation, which is opened again where it was closed meanwhile. */
  #answerTo(conversation: C, { received, model, identity = {} }: IncomingRequest, sentTokens: number): AnswerWriter {
    const { id } = conversation;
    const parent = received.entries.at(-1)?.id ?? null;
    const open = weakly(conversation);
    const reopened = async () => open.deref() ?? (await this.#reopened(id, identity));
    const place = { conversation: reopened, parent, sentTokens, end: received.end, model };
    const notKept = (error: unknown) => {
      const name = identity.conversation ?? id;
      const message = localizable('An answer of the conversation {0} could not be kept: {1}', name, wordingOf(error));
      this.#tellNotKept('answer', message, error, eventConversation(id, { identity }));
    };
    const turn = turnOf(received.entries[0]?.id ?? '', { identity });
    const inTurn = (work: () => Promise<void>) => this.#inTurn(turn, work);
    return new AnswerWriter(place, `answer:${this.newId()}`, this.now, notKept, inTurn);
  }

  /** Keeps what a refusal says of the model. Holds neither the request nor its conversation. */
  #learning(conversation: C, { model, contextWindow, identity, isCompactedByProvider }: IncomingRequest, sent: number) {
    const { id } = conversation;
    const open = weakly(conversation);
    return async (tooLong: TooLong): Promise<boolean> => {
      const reopened = open.deref() ?? (await this.#reopened(id, identity ?? {}));
      const limit = limitAfter(tooLong, sent, contextWindow);
      await reopened.append([{ type: 'limit', model, contextWindow: limit }]);
      this.notices.warn(
        `${model} refused a request as too long. It counts as a model of ${limit} tokens in this conversation from now on.`,
      );
      return reopened.automatic.isEnabled && !isCompactedByProvider;
    };
  }

  #reopened(id: string, { conversation: key, scope, branch }: RequestIdentity): Promise<C> {
    return key === undefined ? this.store.open(id, scope) : this.store.keyed(key, scope, branch);
  }

  /** One that is asked once is passed on by choice. */
  #notKept(request: IncomingRequest): RecordedRequest {
    const kept = this.#unkept(request);
    const isByChoice = this.choices.keepsOneOffs === false && isOneOff(request);
    return isByChoice ? kept : { ...kept, failure: 'The conversation could not be kept.' };
  }

  #unkept(request: IncomingRequest): RecordedRequest {
    const { received } = request;
    const context = contextWithoutConversation(received.entries, this.#systemPrompt(request));
    return { context, answer: null, done: () => undefined };
  }

  #systemPrompt(request: IncomingRequest): UnplacedEntry {
    return systemPrompt(request, 0, this.now());
  }

  /** Null if none can be opened or created. */
  async #find(begins: string, request: IncomingRequest): Promise<C | null> {
    const { received, signal, identity: { conversation: key, scope } = {} } = request;
    if (key !== undefined) return await this.#keyed(key, request);
    const opened = await this.#opened(begins, received.entries, scope);
    signal.throwIfAborted();
    const known = [...opened].map(([beginning, conversation]) => this.#known(beginning, conversation));
    const continuation = continuationOf(received.entries, known, this.choices.goesBack);
    const found = [...opened.values()].find(({ id }) => continuation.kind === 'continues' && id === continuation.id);
    if (found) return found;
    if (this.choices.keepsOneOffs === false && isOneOff(request)) return null;
    try {
      return await this.store.create(begins, scope);
    } catch (error) {
      const message = localizable('A conversation could not be kept: {0}', wordingOf(error));
      this.#tellNotKept('conversation', message, error, null);
      return null;
    }
  }

  async #keyed(key: string, request: IncomingRequest): Promise<C | null> {
    const { identity: { scope, branch } = {}, signal } = request;
    try {
      return await this.store.keyed(key, scope, branch);
    } catch (error) {
      signal.throwIfAborted();
      const beginning = keyedBeginning(key, scope, this.now(), branch);
      const name = nameOfConversation(beginning);
      const message = localizable('The conversation {0} could not be kept: {1}', name, wordingOf(error));
      this.#tellNotKept('conversation', message, error, eventConversation(beginning.id, request));
      return null;
    }
  }

  /** Candidates that the request may continue, newest first. Opens only as many as needed to decide. */
  async #opened(
    begins: string,
    entries: readonly UnplacedEntry[],
    scope: string | undefined,
  ): Promise<Map<Beginning, C>> {
    const opened = new Map<Beginning, C>();
    for (const beginning of (await this.store.beginnings(begins, scope)).sort(byAge)) {
      const conversation = await this.#open(beginning);
      if (conversation === null) continue;
      opened.set(beginning, conversation);
      if (!hasReply(entries)) break;
      if (!this.choices.goesBack && hasParted(entries, conversation.known.path)) continue;
      if (knowsReplies(entries, this.#known(beginning, conversation))) break;
    }
    return opened;
  }

  async #open({ id, scope }: Beginning): Promise<C | null> {
    try {
      return await this.store.open(id, scope);
    } catch (error) {
      this.notices.warn(`The conversation ${id} could not be opened: ${wordingOf(error)}`);
      return null;
    }
  }

  #known({ id, created }: Beginning, { conversation, known }: C): KnownConversation {
    return {
      ...{ id, created, path: known.path },
      hasReply: hasReply(conversation.entries),
      prefixOf: (entries) => known.prefixOf(entries),
      isAnswering: (this.#answering.get(id) ?? 0) > 0,
    };
  }

  /**
   * Writes everything before the newest turn first if it may be compacted, because that takes place between turns. False if writing failed;
   * the request is sent in any case.
   */
  async #takeIn(conversation: C, request: IncomingRequest): Promise<Taken> {
    const { entries } = request.received;
    const turn = newTurnBeginsAt(request.received);
    try {
      if (turn !== null && turn > 0 && conversation.automatic.isEnabled) {
        await this.#write(conversation, request, entries.slice(0, turn));
        await this.#compactIfDue(conversation, request);
      }
      await this.#write(conversation, request, entries);
    } catch (error) {
      request.signal.throwIfAborted();
      const name = nameOf(conversation, request);
      const message = localizable('A request of the conversation {0} could not be kept: {1}', name, wordingOf(error));
      this.#tellNotKept('request', message, error, eventConversation(conversation.id, request));
      return { isWritten: false, failure: String(message) };
    }
    return { isWritten: true, failure: await this.#makeFit(conversation, request) };
  }

  async #write(conversation: C, request: IncomingRequest, entries: readonly UnplacedEntry[]): Promise<void> {
    const records = [...surroundingRecords(conversation, request, this.now()), ...entryRecords(conversation, entries)];
    if (records.length > 0) await conversation.append(records);
    await conversation.workbench.countAhead(request.signal);
  }

  async #compactIfDue(conversation: C, request: IncomingRequest): Promise<void> {
    const { signal, isCompactedByProvider = false } = request;
    if (isCompactedByProvider) return;
    const run = await untilAborted(conversation.automatic.compactIfDue(signal), signal);
    if (run) this.#tellCompacted('between-turns', conversation, request, run);
  }

  /** Within a turn, compacts only if the request does not fit the window. Returns why it does not fit; null if it does. */
  async #makeFit(conversation: C, request: IncomingRequest): Promise<string | null> {
    const { contextWindow, replyTokens = 0, signal, isCompactedByProvider = false } = request;
    if (contextWindow === null) return null;
    const order = { mostTokens: contextWindow - replyTokens, signal, isCompactedByProvider };
    const outcome = await untilAborted(conversation.automatic.makeFit(order), signal);
    if (outcome.kind === 'fits') return null;
    if (outcome.kind === 'paused') return tooLargeText(tokensAtLeast(conversation.workbench.context), request);
    if (outcome.run) this.#tellCompacted('too-large', conversation, request, outcome.run);
    if (outcome.kind !== 'too-large') return null;
    const { tokens } = outcome;
    this.notices.warn(tooLargeText(tokens, request));
    const about = { time: this.now(), conversation: eventConversation(conversation.id, request), model: request.model };
    this.notices.event?.({ kind: 'overflow', tokens, contextWindow, ...about });
    return tooLargeText(tokens, request);
  }

  #tellCompacted(moment: Moment, conversation: C, request: IncomingRequest, run: PreparedRun): void {
    const { before, after } = run;
    const sizes = `${before.tokens.total} → ${after.tokens.total} tokens`;
    this.notices.compacted(`Compacted ${moments[moment]}: ${sizes}.`, conversation, run);
    const about = { time: this.now(), conversation: eventConversation(conversation.id, request), moment };
    this.notices.event?.(shrunkEvent(run, about));
  }

  #tellNotKept(what: NotKept['what'], message: LocalizableText, error: unknown, about: NotKept['conversation']): void {
    this.notices.notKept(message);
    const reason = String(wordingOf(error));
    this.notices.event?.({ kind: 'not-kept', time: this.now(), conversation: about, what, reason });
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

/** After an answer, prepares the next compaction of a conversation that is still open. Does not hold it open itself. */
function preparing(
  open: Pick<WeakRef<ServedConversation>, 'deref'>,
  mostTokens: number | undefined,
  answered: () => void,
) {
  return (own?: OwnModel) => {
    answered();
    void open.deref()?.automatic.prepareAhead({ mostTokens, own });
  };
}

function mostTokensOf({ contextWindow, replyTokens = 0 }: IncomingRequest): number | undefined {
  return contextWindow === null ? undefined : contextWindow - replyTokens;
}

function nameOf({ id }: ServedConversation, { identity }: IncomingRequest): string {
  return identity?.conversation ?? id;
}

/** Whether a request was written, and why it could not be or does not fit. */
interface Taken {
  readonly isWritten: boolean;
  readonly failure: string | null;
}

type NotKept = Extract<ContextEvent, { readonly kind: 'not-kept' }>;

type Moment = Shrunk['moment'];

const moments: Readonly<Record<Moment, string>> = {
  'between-turns': 'between turns',
  'too-large': 'because the context does not fit the model’s window',
};

/** The request has this many tokens and cannot be made smaller. */
export function tooLargeText(
  tokens: number,
  { model, contextWindow, replyTokens = 0 }: Pick<IncomingRequest, 'model' | 'contextWindow' | 'replyTokens'>,
): string {
  const reply = replyTokens === 0 ? '' : `, of which ${replyTokens} are for its answer`;
  return `The context has ${tokens} tokens, and nothing more of it can be compacted; ${model} takes ${contextWindow}${reply}.`;
}
