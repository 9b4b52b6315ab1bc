import { usualReplyTokens } from '../conversations/compaction/fit';
import { smallWindowParameters } from '../conversations/compaction/small-window';
import { type ContextEvent, type EventConversation, eventConversation } from '../conversations/events';
import { OpenConversations } from '../conversations/open-conversations';
import { byAge } from '../conversations/requests/continuation';
import type { RequestStore } from '../conversations/requests/conversation-finder';
import { beginsIn, keyedBeginning } from '../conversations/requests/identity';
import type { Notices } from '../conversations/requests/recording-notices';
import { RequestRecorder } from '../conversations/requests/request-recorder';
import { ServedConversation } from '../conversations/served-conversation';
import { FallbackShelf } from '../conversations/shelves/fallback-shelf';
import {
  ConversationGone,
  evictedText,
  memoryShelf,
  type ShelvedConversation,
  usualShelf,
} from '../conversations/shelves/shelf';
import { observedRequest } from '../conversations/telemetry';
import { Troubles } from '../conversations/troubles';
import { TokenLedger } from '../engine/conversation/tokens';
import { localizable, wordingOf } from '../engine/wording/localizable-text';
import { NotCompacted, type WhenItFails } from '../middleware/requests/not-compacted';
import type { IncomingRequest, RecordedRequest } from '../middleware/requests/recording';
import { assumedContextWindow } from '../sessions/model-windows';
import type { Beginning } from '../sessions/strata/records';
import { AgentContext } from './agent-context';
import { checkConversationsOptions } from './check-options';
import {
  type ConversationListing,
  type ConversationName,
  hitsIn,
  mostHits,
  type SearchHit,
} from './conversation-names';
import type { ConversationsOptions } from './conversations-options';
import { automationOf, settingOf } from './create-context';
import { madeConversations } from './made-conversations';
import type { ContextOptions } from './options';
import type { Setting } from './setting';

/**
 * The contexts of all conversations of a program. A conversation is known by its beginning, so agents need not name it. Made
 * by `createConversations`.
 */
export class Conversations {
  readonly #shelf: FallbackShelf;
  readonly #troubles = new Troubles((message) => this.notify(message));
  /** Models whose window is unknown. */
  readonly #unknown = new Set<string>();
  readonly #requests: RequestRecorder<ServedConversation>;
  readonly #open: OpenConversations<ServedConversation>;
  /** Ids of the conversations that `onConversation` was called with. */
  readonly #announced = new Set<string>();
  readonly #contexts = new WeakMap<ServedConversation, AgentContext>();

  /** @internal */
  constructor(
    private readonly options: ConversationsOptions,
    /** What all conversations share: tools, the breaker, the ledger's tokenizer. */
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
        this.#tellEvent({ kind: 'spared', ...about(beginning), reason: String(wordingOf(error)) }),
      returned: (beginning) => this.#tellEvent({ kind: 'returned', ...about(beginning) }),
    });
    this.#open = new OpenConversations((opened) => this.#announce(opened), openLimits);
    const notices: Notices<ServedConversation> = {
      compacted: () => undefined,
      warn,
      notRecorded: (message) => warn(String(message)),
      event: (event) => this.#tellEvent(event),
    };
    this.#requests = new RequestRecorder(this.#store(), notices, now, newId, {
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
    return this.#open.all.flatMap((open) => this.#contexts.get(open) ?? []);
  }

  /** The open conversations of one scope, the one with the newest request last. Without a scope: those that have none. */
  contextsIn(scope?: string): readonly AgentContext[] {
    return this.contexts.filter(({ identity }) => identity.scope === scope);
  }

  /** The conversation with this key, which begins if there is none: to pin in it, to undo, to look at it. */
  async conversation({ conversation, scope }: ConversationName): Promise<AgentContext> {
    return this.#contextOf(await this.#keyed(conversation, scope));
  }

  /** The conversations of one scope, open or not, newest first. Without a scope: those that have none. */
  async list(scope?: string): Promise<readonly ConversationListing[]> {
    return (await this.#shelf.list(scope))
      .sort(byAge)
      .map(({ id, key, created }) => ({ id, conversation: key, scope, created }));
  }

  /** One of the conversations that `list` names. Throws if there is none with this id in this scope. */
  async listed({ id, scope }: Pick<ConversationListing, 'id' | 'scope'>): Promise<AgentContext> {
    return this.#contextOf(await this.#opened(id, scope));
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
    this.#warnOfWindow(model, given);
    return assumedContextWindow;
  }

  #warnOfWindow(model: string, given: number): void {
    if (this.#unknown.has(model)) return;
    this.#unknown.add(model);
    this.notify(`Invalid window of ${model}: ${given} tokens. Using ${assumedContextWindow}.`);
  }

  /**
   * Number of conversations that continue in memory because their shelf failed. They return automatically; the events `spared` and
   * `returned` say which.
   *
   * @internal
   */
  get spared(): number {
    return this.#shelf.spared;
  }

  /**
   * Brings back at once what can be brought back. Never rejects; `spared` says how many are left.
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

  /** What happens to a request that cannot be recorded or made to fit. */
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

  #store(): RequestStore<ServedConversation> {
    return {
      beginnings: (begins, scope) => this.#shelf.beginnings(beginsIn(scope, begins), scope),
      create: (begins, scope) => this.#create(begins, scope),
      open: (id, scope) => this.#opened(id, scope),
      keyed: (key, scope, branch) => this.#keyed(key, scope, branch),
    };
  }

  async #create(begins: string, scope: string | undefined): Promise<ServedConversation> {
    const { newId, now } = this.common.effects;
    const beginning = {
      id: newId(),
      begins: beginsIn(scope, begins),
      created: now(),
      ...(scope === undefined ? {} : { scope }),
    };
    return await this.#open.take(beginning.id, this.#opening(beginning, this.#shelf.create(beginning)));
  }

  async #opened(id: string, scope: string | undefined): Promise<ServedConversation> {
    this.#shelf.used(id);
    return this.#inScope(
      await this.#open.open(id, () => this.#opening({ id, scope }, this.#shelf.open(id, scope))),
      scope,
    );
  }

  async #keyed(key: string, scope: string | undefined, branch?: string): Promise<ServedConversation> {
    const beginning = keyedBeginning(key, scope, this.now(), branch);
    this.#shelf.used(beginning.id);
    return await this.#open.open(beginning.id, () => this.#opening(beginning, this.#shelf.openOrCreate(beginning)));
  }

  /** An id alone opens nothing of another scope. */
  #inScope(conversation: ServedConversation, scope: string | undefined): ServedConversation {
    if (this.#contextOf(conversation).identity.scope === scope) return conversation;
    throw new ConversationGone(localizable('There is no conversation {0}.', conversation.id));
  }

  #contextOf(conversation: ServedConversation): AgentContext {
    const context = this.#contexts.get(conversation);
    if (context === undefined)
      throw new ConversationGone(localizable('There is no conversation {0}.', conversation.id));
    return context;
  }

  async #opening(
    { id, key, scope }: Pick<Beginning, 'id' | 'key' | 'scope'>,
    shelving: Promise<ShelvedConversation>,
  ): Promise<ServedConversation> {
    const shelved = await shelving;
    const identity = { id, conversation: key, scope };
    const context = new AgentContext(this.#settingOf(shelved), shelved, this.#troubles, identity);
    await this.#pin(context);
    const conversation = new ServedConversation(id, shelved.conversation, context.workbench, context.automatic);
    this.#contexts.set(conversation, context);
    return conversation;
  }

  /** Pins come before the first message. A program may have ended after adding only some of them. */
  async #pin(context: AgentContext): Promise<void> {
    if (context.entries.length > 0) return;
    for (const { kind, text, rationale = null } of this.options.pins ?? []) {
      const isThere = context.items.some((item) => item.kind === kind && item.text === text);
      if (!isThere) await context.pin(kind, text, { rationale });
    }
  }

  #announce(opened: ServedConversation): void {
    const context = this.#contexts.get(opened);
    if (this.#announced.has(opened.id)) return;
    this.#announced.add(opened.id);
    try {
      if (context) this.options.onConversation?.(context);
    } catch (error) {
      this.#troubles.tell(`onConversation failed: ${wordingOf(error)}`);
    }
  }

  /** The window is that of the newest request's model. */
  #settingOf({ conversation }: ShelvedConversation): Setting {
    const { options, common } = this;
    const window = () => conversation.contextWindow ?? common.window;
    return {
      ...common,
      // A separate ledger. It remembers how the newest context was made, and continues from there for the next context of the same
      // conversation.
      ledger: new TokenLedger(common.ledger.countText),
      get window() {
        return window();
      },
      get automation() {
        return automationOf({ window: window(), ...(options.automation ? { automation: options.automation } : {}) });
      },
      get parameters() {
        return { ...smallWindowParameters(window()), ...options.parameters };
      },
    };
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

/** Opening a conversation again takes about ten milliseconds per megabyte, so those of working agents stay open. */
const openLimits = { conversations: 500, bytes: 128 * 1024 * 1024 };

function eventConversationOf({ id, key: conversation, scope }: Beginning): EventConversation {
  return eventConversation(id, { identity: { conversation, scope } });
}
