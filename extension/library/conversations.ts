import { usualReplyTokens } from '../conversations/compaction/fit';
import { smallWindowParameters } from '../conversations/compaction/small-window';
import { type ContextEvent, type EventConversation, eventConversation } from '../conversations/events';
import { OpenConversations } from '../conversations/open-conversations';
import { byAge } from '../conversations/requests/continuation';
import type { RequestStore } from '../conversations/requests/conversation-finder';
import { beginsIn, keyedBeginning } from '../conversations/requests/identity';
import { RequestRecorder } from '../conversations/requests/request-recorder';
import { ServedConversation } from '../conversations/served-conversation';
import {
  ConversationGone,
  evictedText,
  memoryShelf,
  type ShelvedConversation,
  usualShelf,
} from '../conversations/shelves/shelf';
import { SparedShelf } from '../conversations/shelves/spared-shelf';
import { observedRequest } from '../conversations/telemetry';
import { Troubles } from '../conversations/troubles';
import { TokenLedger } from '../engine/conversation/tokens';
import { type LocalizableText, localizable, wordingOf } from '../engine/wording/localizable-text';
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
  readonly #shelf: SparedShelf;
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
    /** What conversations have in common: tools, the breaker, the ledger's tokenizer. */
    private readonly common: Setting,
  ) {
    madeConversations.add(this);
    const tell = (message: string) => this.notify(message);
    const evicted = (beginning: Beginning) => this.#tellEvicted(beginning);
    const spared = {
      warn: tell,
      spared: (beginning: Beginning, error: unknown) => this.#tellSpared(beginning, error),
      returned: (beginning: Beginning) => this.#tellReturned(beginning),
      evicted,
      now: common.effects.now,
    };
    this.#shelf = new SparedShelf(options.shelf ?? memoryShelf(usualShelf, evicted), spared);
    this.#open = new OpenConversations((kept) => this.#tellOf(kept), openLimits);
    const notices = {
      compacted: () => undefined,
      warn: tell,
      notRecorded: (message: LocalizableText) => tell(String(message)),
      event: (event: ContextEvent) => this.#tellEvent(event),
    };
    const { now, newId } = common.effects;
    this.#requests = new RequestRecorder(this.#store(), notices, now, newId, {
      goesBack: options.goesBack ?? false,
      keepsOneOffs: options.keepsOneOffs ?? true,
    });
  }

  #tellEvicted(beginning: Beginning): void {
    this.notify(String(evictedText(beginning, usualShelf)));
    this.#tellEvent({ kind: 'evicted', time: this.now(), conversation: eventConversationOf(beginning) });
  }

  #tellSpared(beginning: Beginning, error: unknown): void {
    const about = { conversation: eventConversationOf(beginning), reason: String(wordingOf(error)) };
    this.#tellEvent({ kind: 'spared', time: this.now(), ...about });
  }

  #tellReturned(beginning: Beginning): void {
    this.#tellEvent({ kind: 'returned', time: this.now(), conversation: eventConversationOf(beginning) });
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
   * The open conversation, in whatever scope, that was asked last; null before the first request. For a program that
   * serves one person: with several, use `conversation` or `contextsIn`.
   */
  get newest(): AgentContext | null {
    return this.contexts.at(-1) ?? null;
  }

  /** Those that are open, in all scopes, the one that was asked last at the end. */
  get contexts(): readonly AgentContext[] {
    return this.#open.all.flatMap((kept) => this.#contexts.get(kept) ?? []);
  }

  /** Those of one scope that are open, the one that was asked last at the end. Without a scope: those that have none. */
  contextsIn(scope?: string): readonly AgentContext[] {
    return this.contexts.filter(({ identity }) => identity.scope === scope);
  }

  /** The conversation with this key, begun if there is none: to pin in it, to undo, to look at it. */
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

  /** Messages of one scope that contain this text, in whatever case, of the newest conversations first. */
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

  /** How many tokens a model takes; the assumed window where it is unknown. */
  windowOf(model: string): number {
    const { window } = this.options;
    if (typeof window === 'number') return window;
    const said = window(model);
    if (said > 0 && Number.isFinite(said)) return said;
    this.#tellOfWindow(model, said);
    return assumedContextWindow;
  }

  #tellOfWindow(model: string, said: number): void {
    if (this.#unknown.has(model)) return;
    this.#unknown.add(model);
    this.notify(`Invalid window of ${model}: ${said} tokens. Using ${assumedContextWindow}.`);
  }

  /**
   * Number of conversations that go on in memory because their shelf failed. They come back by themselves; the events `spared` and
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

  /** What becomes of a request that cannot be kept or made to fit. */
  get whenItFails(): WhenItFails {
    return this.options.whenItFails ?? 'send';
  }

  /** Keeps a request, and says what the model is to be sent. For adapters. */
  async keep(request: IncomingRequest): Promise<RecordedRequest> {
    const { replyTokens = usualReplyTokens(request.contextWindow) } = this.options;
    const kept = await this.#requests.record({ replyTokens, ...request });
    if (kept.failure !== undefined && this.whenItFails === 'throw' && !request.isCompactedByProvider) {
      await kept.answer?.end('failed');
      kept.done();
      // A request without an answer was not stored.
      throw new NotCompacted(kept.failure, kept.answer === null ? 'not-kept' : 'too-large');
    }
    const { telemetry } = this.options;
    return telemetry ? observedRequest(request, kept, telemetry) : kept;
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
    return await this.#open.take(beginning.id, this.#kept(beginning, this.#shelf.create(beginning)));
  }

  async #opened(id: string, scope: string | undefined): Promise<ServedConversation> {
    this.#shelf.used(id);
    return this.#inScope(
      await this.#open.open(id, () => this.#kept({ id, scope }, this.#shelf.open(id, scope))),
      scope,
    );
  }

  async #keyed(key: string, scope: string | undefined, branch?: string): Promise<ServedConversation> {
    const beginning = keyedBeginning(key, scope, this.now(), branch);
    this.#shelf.used(beginning.id);
    return await this.#open.open(beginning.id, () => this.#kept(beginning, this.#shelf.openOrCreate(beginning)));
  }

  /** An id alone opens nothing of another scope. */
  #inScope(kept: ServedConversation, scope: string | undefined): ServedConversation {
    if (this.#contextOf(kept).identity.scope === scope) return kept;
    throw new ConversationGone(localizable('There is no conversation {0}.', kept.id));
  }

  #contextOf(kept: ServedConversation): AgentContext {
    const context = this.#contexts.get(kept);
    if (context === undefined) throw new ConversationGone(localizable('There is no conversation {0}.', kept.id));
    return context;
  }

  async #kept({ id, key, scope }: Kept, shelving: Promise<ShelvedConversation>): Promise<ServedConversation> {
    const shelved = await shelving;
    const identity = { id, conversation: key, scope };
    const context = new AgentContext(this.#settingOf(shelved), shelved, this.#troubles, identity);
    await this.#pin(context);
    const kept = new ServedConversation(id, shelved.conversation, context.workbench, context.automatic);
    this.#contexts.set(kept, context);
    return kept;
  }

  /** Pins come before the first message. A program that ended between the two left some of them out. */
  async #pin(context: AgentContext): Promise<void> {
    if (context.entries.length > 0) return;
    for (const { kind, text, rationale = null } of this.options.pins ?? []) {
      const isThere = context.items.some((item) => item.kind === kind && item.text === text);
      if (!isThere) await context.pin(kind, text, { rationale });
    }
  }

  #tellOf(kept: ServedConversation): void {
    const context = this.#contexts.get(kept);
    if (this.#announced.has(kept.id)) return;
    this.#announced.add(kept.id);
    try {
      if (context) this.options.onConversation?.(context);
    } catch (error) {
      this.#troubles.tell(`onConversation failed: ${wordingOf(error)}`);
    }
  }

  /** The window is that of the model that was asked last. */
  #settingOf({ conversation }: ShelvedConversation): Setting {
    const { options, common } = this;
    const window = () => conversation.contextWindow ?? common.window;
    return {
      ...common,
      // A ledger of its own: it remembers how the newest context was made, and continues from there for the next one of the same conversation.
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

/** An agent at work has its conversation opened again otherwise, which takes about ten milliseconds for each of its megabytes. */
const openLimits = { conversations: 500, bytes: 128 * 1024 * 1024 };

function eventConversationOf({ id, key: conversation, scope }: Beginning): EventConversation {
  return eventConversation(id, { identity: { conversation, scope } });
}

type Kept = Pick<Beginning, 'id' | 'key' | 'scope'>;
