import { usualReplyTokens } from '../conversations/compaction/fit';
import { smallWindowParameters } from '../conversations/compaction/small-window';
import { KeptConversation } from '../conversations/kept-conversation';
import { OpenConversations } from '../conversations/open-conversations';
import { KeptRequests, type RequestStore } from '../conversations/requests/kept-requests';
import { memoryShelf, type ShelvedConversation } from '../conversations/shelves/shelf';
import { SparedShelf } from '../conversations/shelves/spared-shelf';
import { Troubles } from '../conversations/troubles';
import { type LocalizableText, wordingOf } from '../engine/wording/localizable-text';
import type { IncomingRequest, KeptRequest } from '../middleware/requests/keeping';
import { AgentContext } from './agent-context';
import type { ConversationsOptions } from './conversations-options';
import { automationOf, settingOf } from './create-context';
import type { ContextOptions } from './options';
import type { Setting } from './setting';

/**
 * The contexts of all conversations of a program. A conversation is known by its beginning, so agents need not name it. Made
 * by `createConversations`.
 */
export class Conversations {
  readonly #shelf: SparedShelf;
  readonly #troubles = new Troubles((message) => this.notify(message));
  /** Models that nobody knows the window of. */
  readonly #unknown = new Set<string>();
  readonly #requests: KeptRequests<KeptConversation>;
  readonly #open = new OpenConversations<KeptConversation>((kept) => this.#tellOf(kept));
  readonly #contexts = new WeakMap<KeptConversation, AgentContext>();

  /** @internal */
  constructor(
    private readonly options: ConversationsOptions,
    /** What conversations have in common: tools, the breaker, the ledger's tokenizer. */
    private readonly common: Setting,
  ) {
    const tell = (message: string) => this.notify(message);
    this.#shelf = new SparedShelf(options.shelf ?? memoryShelf(), tell);
    const notKept = (message: LocalizableText) => tell(String(message));
    const notices = { compacted: () => undefined, warn: tell, notKept };
    const { now, newId } = common.effects;
    this.#requests = new KeptRequests(this.#store(), notices, now, newId);
  }

  /** Of those that are open, the one that was asked last; null before the first request. */
  get newest(): AgentContext | null {
    return this.contexts.at(-1) ?? null;
  }

  /** Those that are open, the one that was asked last at the end. */
  get contexts(): readonly AgentContext[] {
    return this.#open.all.flatMap((kept) => this.#contexts.get(kept) ?? []);
  }

  /** How many tokens a model takes; what is assumed where nobody knows. */
  windowOf(model: string): number {
    const { window } = this.options;
    if (typeof window === 'number') return window;
    const said = window(model);
    if (said > 0 && Number.isFinite(said)) return said;
    this.#tellOfWindow(model, said);
    return assumedWindow;
  }

  #tellOfWindow(model: string, said: number): void {
    if (this.#unknown.has(model)) return;
    this.#unknown.add(model);
    this.notify(`A window of ${said} tokens is none. ${model} is taken for one of ${assumedWindow} tokens.`);
  }

  /** ISO 8601. */
  now(): string {
    return this.common.effects.now();
  }

  notify(message: string): void {
    const { onNotice = (text) => console.warn(`strata: ${text}`) } = this.options;
    onNotice(message);
  }

  /** Keeps a request, and says what the model is to be sent. For adapters. */
  async keep(request: IncomingRequest): Promise<KeptRequest> {
    const { replyTokens = usualReplyTokens(request.contextWindow) } = this.options;
    return await this.#requests.keep({ replyTokens, ...request });
  }

  #store(): RequestStore<KeptConversation> {
    return {
      beginnings: (begins) => this.#shelf.beginnings(begins),
      create: (begins) => this.#create(begins),
      open: (id) => this.#opened(id),
    };
  }

  async #create(begins: string): Promise<KeptConversation> {
    const { newId, now } = this.common.effects;
    const id = newId();
    return await this.#shelf.create({ id, begins, created: now() }, (shelving) => this.#taken(id, shelving));
  }

  async #opened(id: string): Promise<KeptConversation> {
    this.#shelf.used(id);
    return await this.#open.open(id, () => this.#kept(id, this.#shelf.open(id)));
  }

  async #taken(id: string, shelving: Promise<ShelvedConversation>): Promise<KeptConversation> {
    return await this.#open.take(id, this.#kept(id, shelving));
  }

  async #kept(id: string, shelving: Promise<ShelvedConversation>): Promise<KeptConversation> {
    const shelved = await shelving;
    const context = new AgentContext(this.#settingOf(shelved), shelved, this.#troubles);
    await this.#pin(context);
    const kept = new KeptConversation(id, shelved.conversation, context.workbench, context.automatic);
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

  #tellOf(kept: KeptConversation): void {
    const context = this.#contexts.get(kept);
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
 * Throws `UnknownStrategy`, `EmbedderMissing` for a strategy that searches by meaning without one, and `RangeError` for a window
 * that is none.
 *
 * @example
 * const conversations = await createConversations({ window: 200_000, pins: [{ kind: 'constraint', text: 'Never push.' }] });
 * await conversations.newest?.undo();
 */
export async function createConversations(options: ConversationsOptions): Promise<Conversations> {
  const { window } = options;
  const usual: ContextOptions = { ...options, window: typeof window === 'number' ? window : assumedWindow };
  return new Conversations(options, await settingOf(usual));
}

/** What stands in before a model was named. */
const assumedWindow = 200_000;
