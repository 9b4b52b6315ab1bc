import { usualReplyTokens } from '../conversations/compaction/fit';
import { type ContextEvent, type EventConversation, eventConversation } from '../conversations/events';
import { byAge } from '../conversations/requests/continuation';
import type { Notices } from '../conversations/requests/recording-notices';
import { RequestRecorder } from '../conversations/requests/request-recorder';
import type { ServedConversation } from '../conversations/served-conversation';
import { FallbackShelf } from '../conversations/shelves/fallback-shelf';
import { evictedText, memoryShelf, usualShelf } from '../conversations/shelves/shelf';
import { observedRequest } from '../conversations/telemetry';
import { Troubles } from '../conversations/troubles';
import { wordingOf } from '../engine/wording/localizable-text';
import { NotCompacted, type WhenItFails } from '../middleware/requests/not-compacted';
import type { IncomingRequest, RecordedRequest } from '../middleware/requests/recording';
import { assumedContextWindow } from '../sessions/model-windows';
import type { Beginning } from '../sessions/strata/records';
import type { AgentContext } from './agent-context';
import { checkConversationsOptions } from './check-options';
import {
  type ConversationListing,
  type ConversationName,
  hitsIn,
  mostHits,
  type SearchHit,
} from './conversation-names';
import type { ConversationsOptions } from './conversations-options';
import { settingOf } from './create-context';
import { madeConversations } from './made-conversations';
import type { ContextOptions } from './options';
import type { Setting } from './setting';
import { ShelvedContexts } from './shelved-contexts';

/**
 * The contexts of all conversations of a program. A conversation is known by its beginning, so agents need not name it. Made
 * by `createConversations`.
 */
export class Conversations {
  readonly #shelf: FallbackShelf;
  readonly #troubles = new Troubles((message) => this.notify(message));
  /** By model, each reported once. Apart from `#troubles`, because a success does not make a window known. */
  readonly #unknownWindows = new Troubles((message) => this.notify(message));
  readonly #contexts: ShelvedContexts;
  readonly #requests: RequestRecorder<ServedConversation>;

  /** @internal */
  constructor(
    private readonly options: ConversationsOptions,
    /** Shared by all conversations: tools, the breaker, the ledger's tokenizer. */
    private readonly common: Setting,
  ) {
    madeConversations.add(this);
    const { now, newId } = common.effects;
    const warn = (message: string) => this.notify(message);
    const about = (beginning: Beginning) => ({ time: now(), conversation: eventConversationOf(beginning) });
    const evicted = (beginning: Beginning) => {
      warn(String(evictedText(beginning, usualShelf)));
      this.#tellEvent({ kind: 'evicted', ...about(beginning) });
    };
    this.#shelf = new FallbackShelf(options.shelf ?? memoryShelf(usualShelf, evicted), {
      ...{ warn, evicted, now },
      movedToMemory: (beginning, error) =>
        this.#tellEvent({ kind: 'moved-to-memory', ...about(beginning), reason: String(wordingOf(error)) }),
      returned: (beginning) => this.#tellEvent({ kind: 'returned', ...about(beginning) }),
    });
    this.#contexts = new ShelvedContexts({ shelf: this.#shelf, options, common, troubles: this.#troubles });
    const notices: Notices<ServedConversation> = {
      compacted: () => undefined,
      warn,
      notRecorded: (message) => warn(String(message)),
      event: (event) => this.#tellEvent(event),
    };
    this.#requests = new RequestRecorder(this.#contexts, notices, now, newId, {
      goesBack: options.goesBack ?? false,
      keepsOneOffs: options.keepsOneOffs ?? true,
    });
  }

  #tellEvent(event: ContextEvent): void {
    try {
      this.options.telemetry?.event(event);
      this.options.onEvent?.(event);
    } catch (error) {
      this.#troubles.tell(`onEvent failed: ${wordingOf(error)}`);
    }
  }

  /**
   * The open conversation of any scope that had the newest request; null before the first request. For a program that
   * serves one person: with several, use `conversation` or `contextsIn`.
   */
  get newest(): AgentContext | null {
    return this.contexts.at(-1) ?? null;
  }

  /** The open conversations of all scopes, the one with the newest request last. */
  get contexts(): readonly AgentContext[] {
    return this.#contexts.all;
  }

  /** The open conversations of one scope, the one with the newest request last. Without a scope: those that have none. */
  contextsIn(scope?: string): readonly AgentContext[] {
    return this.contexts.filter(({ identity }) => identity.scope === scope);
  }

  /** The conversation with this key, which begins if there is none: to pin in it, to undo, to look at it. */
  async conversation({ conversation, scope }: ConversationName): Promise<AgentContext> {
    return this.#contexts.contextOf(await this.#contexts.keyed(conversation, scope));
  }

  /** The conversations of one scope, open or not, newest first. Without a scope: those that have none. */
  async list(scope?: string): Promise<readonly ConversationListing[]> {
    return (await this.#shelf.list(scope))
      .sort(byAge)
      .map(({ id, key, created }) => ({ id, conversation: key, scope, created }));
  }

  /** One of the conversations that `list` names. Throws if there is none with this id in this scope. */
  async listed({ id, scope }: Pick<ConversationListing, 'id' | 'scope'>): Promise<AgentContext> {
    return this.#contexts.contextOf(await this.#contexts.open(id, scope));
  }

  /** Messages of one scope that contain this text, ignoring case. Messages of the newest conversations come first. */
  async search(text: string, scope?: string): Promise<readonly SearchHit[]> {
    const hits: SearchHit[] = [];
    for (const listing of await this.list(scope)) {
      const { entries } = await this.listed(listing);
      hits.push(
        ...hitsIn(entries, text).map((hit) => ({ ...hit, id: listing.id, conversation: listing.conversation })),
      );
      if (hits.length >= mostHits) break;
    }
    return hits.slice(0, mostHits);
  }

  /** The context window of a model in tokens; the assumed window if it is unknown. */
  windowOf(model: string): number {
    const { window } = this.options;
    if (typeof window === 'number') return window;
    const given = window(model);
    if (given > 0 && Number.isFinite(given)) return given;
    this.#unknownWindows.tell(`Invalid window of ${model}: ${given} tokens. Using ${assumedContextWindow}.`, model);
    return assumedContextWindow;
  }

  /**
   * Number of conversations that continue in memory because their shelf failed. They return automatically; the events `moved-to-memory` and
   * `returned` say which.
   *
   * @internal
   */
  get inMemory(): number {
    return this.#shelf.inMemory;
  }

  /**
   * Brings back at once what can be brought back. Never rejects; `inMemory` says how many are left.
   *
   * @internal
   */
  bringBack(): Promise<void> {
    return this.#shelf.bringBack();
  }

  /** ISO 8601. */
  now(): string {
    return this.common.effects.now();
  }

  notify(message: string): void {
    const { onNotice = (text) => console.warn(`strata: ${text}`) } = this.options;
    onNotice(message);
  }

  /** Decides what happens to a request that cannot be recorded or made to fit. */
  get whenItFails(): WhenItFails {
    return this.options.whenItFails ?? 'send';
  }

  /** Records a request, and returns what to send to the model. For adapters. */
  async keep(request: IncomingRequest): Promise<RecordedRequest> {
    const { replyTokens = usualReplyTokens(request.contextWindow) } = this.options;
    const recorded = await this.#requests.record({ replyTokens, ...request });
    if (recorded.failure !== undefined && this.whenItFails === 'throw' && !request.isCompactedByProvider) {
      await recorded.answer?.end('failed');
      recorded.done();
      // A request without an answer was not stored.
      throw new NotCompacted(recorded.failure, recorded.answer === null ? 'not-kept' : 'too-large');
    }
    const { telemetry } = this.options;
    return telemetry ? observedRequest(request, recorded, telemetry) : recorded;
  }
}

/**
 * Contexts for every conversation that an agent, or many of them, will have. Adapters take the result, or the options alone.
 * Throws `UnknownStrategy`, `EmbedderMissing` for a strategy that searches by meaning without one, and `InvalidOption` for an option
 * that is unknown or has a value that it does not take.
 *
 * @example
 * const conversations = await createConversations({ window: 200_000, pins: [{ kind: 'constraint', text: 'Never push.' }] });
 * const context = await conversations.conversation({ conversation: 'chat-7', scope: 'acme' });
 * await context.pin('goal', 'Ship version 2.');
 */
export async function createConversations(options: ConversationsOptions): Promise<Conversations> {
  checkConversationsOptions(options);
  const { window } = options;
  const usual: ContextOptions = { ...options, window: typeof window === 'number' ? window : assumedContextWindow };
  return new Conversations(options, await settingOf(usual));
}

function eventConversationOf({ id, key: conversation, scope }: Beginning): EventConversation {
  return eventConversation(id, { identity: { conversation, scope } });
}
