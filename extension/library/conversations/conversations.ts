import type { PreparedRun } from '../../engine/run/prepared-run';
import { failureText } from '../../middleware/requests/failure-text';
import { usualReplyTokens } from '../../middleware/requests/fit';
import type { RequestStore } from '../../middleware/requests/kept-conversation';
import { type IncomingRequest, type KeptRequest, KeptRequests } from '../../middleware/requests/kept-requests';
import type { AgentContext } from '../agent-context';
import { automationOf, settingOf } from '../create-context';
import type { ContextOptions } from '../options';
import type { Setting } from '../setting';
import { smallWindowParameters } from '../small-window';
import { madeToFit, tellOutcome } from './fitting';
import { KeptContext } from './kept-context';
import type { ConversationsOptions } from './options';
import { memoryShelf, type ShelvedConversation } from './shelf';
import { SparedShelf } from './spared-shelf';
import { Troubles } from './troubles';

/** A long conversation takes some megabytes of memory. */
const mostOpen = 30;

/**
 * The contexts of all conversations of a program. A conversation is known by its beginning, so agents need not name it. Made
 * by `createConversations`.
 */
export class Conversations {
  readonly #shelf: SparedShelf;
  readonly #troubles = new Troubles((message) => this.notify(message));
  /** Models that nobody knows the window of. */
  readonly #unknown = new Set<string>();
  readonly #requests: KeptRequests<KeptContext>;
  /** Newest last. */
  readonly #open = new Map<string, Promise<KeptContext>>();
  readonly #known: KeptContext[] = [];

  /** @internal */
  constructor(
    private readonly options: ConversationsOptions,
    /** What conversations have in common: tools, the breaker, the ledger's tokenizer. */
    private readonly common: Setting,
  ) {
    const tell = (message: string) => this.notify(message);
    this.#shelf = new SparedShelf(options.shelf ?? memoryShelf(), tell);
    const notices = { info: () => undefined, warn: tell, notKept: tell };
    const { now, newId } = common.effects;
    this.#requests = new KeptRequests(this.#store(), notices, now, newId);
  }

  /** Of those that are open, the one that was asked last; null before the first request. */
  get newest(): AgentContext | null {
    return this.#known.at(-1)?.agent ?? null;
  }

  /** Those that are open, the one that was asked last at the end. */
  get contexts(): readonly AgentContext[] {
    return this.#known.map(({ agent }) => agent);
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
    return await this.#requests.keep({ replyTokens: this.#replyTokens(request.contextWindow), ...request });
  }

  #store(): RequestStore<KeptContext> {
    return {
      beginnings: (begins) => this.#shelf.beginnings(begins),
      create: (begins) => this.#create(begins),
      open: (id) => this.#opened(id),
      compactIfDue: (kept, signal) => this.#compactIfDue(kept, signal),
      compactNow: (kept, signal) => this.#compactNow(kept, signal),
    };
  }

  async #create(begins: string): Promise<KeptContext> {
    const { newId, now } = this.common.effects;
    const id = newId();
    return await this.#shelf.create({ id, begins, created: now() }, (shelving) => this.#taken(id, shelving));
  }

  async #opened(id: string): Promise<KeptContext> {
    const kept = await (this.#open.get(id) ?? this.#taken(id, this.#shelf.open(id)));
    this.#isNewest(kept);
    await kept.agent.refresh();
    return kept;
  }

  async #taken(id: string, shelving: Promise<ShelvedConversation>): Promise<KeptContext> {
    const opening = shelving.then((shelved) => this.#pinned(new KeptContext(id, shelved, this.#settingOf(shelved))));
    this.#open.set(id, opening);
    try {
      const kept = await opening;
      this.#isNewest(kept);
      this.#tellOf(kept);
      return kept;
    } catch (error) {
      this.#open.delete(id);
      throw error;
    }
  }

  /** Pins come before the first message. A program that ended between the two left some of them out. */
  async #pinned(kept: KeptContext): Promise<KeptContext> {
    const { agent } = kept;
    if (agent.entries.length > 0) return kept;
    for (const { kind, text, rationale = null } of this.options.pins ?? []) {
      const isThere = agent.items.some((item) => item.kind === kind && item.text === text);
      if (!isThere) await agent.pin(kind, text, { rationale });
    }
    return kept;
  }

  #tellOf({ agent }: KeptContext): void {
    try {
      this.options.onConversation?.(agent);
    } catch (error) {
      this.#troubles.tell(`onConversation failed: ${failureText(error)}`);
    }
  }

  #isNewest(kept: KeptContext): void {
    this.#shelf.used(kept.id);
    const at = this.#known.indexOf(kept);
    if (at >= 0) this.#known.splice(at, 1);
    this.#known.push(kept);
    if (this.#known.length <= mostOpen) return;
    const oldest = this.#known.shift();
    if (oldest) this.#open.delete(oldest.id);
  }

  /** The window is that of the model that was asked last. */
  #settingOf({ conversation, journal }: ShelvedConversation): Setting {
    const { options, common } = this;
    const window = () => conversation.contextWindow ?? common.window;
    return {
      ...common,
      store: conversation,
      journal,
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

  async #compactIfDue({ agent }: KeptContext, signal: AbortSignal): Promise<PreparedRun | null> {
    try {
      const outcome = await agent.compactIfNeeded({ signal });
      if (outcome.kind === 'off' || outcome.kind === 'wait' || outcome.kind === 'warn') return null;
      tellOutcome(outcome, this.#troubles);
      return outcome.kind === 'compacted' ? outcome.run : null;
    } catch (error) {
      signal.throwIfAborted();
      this.#troubles.tell(`Compacting failed: ${failureText(error)}`);
      return null;
    }
  }

  async #compactNow({ agent }: KeptContext, signal: AbortSignal): Promise<PreparedRun | null> {
    if (this.options.automation?.enabled === false) return null;
    const { window } = agent;
    return await madeToFit(agent, window - this.#replyTokens(window), this.#troubles, signal);
  }

  #replyTokens(window: number | null): number {
    return this.options.replyTokens ?? usualReplyTokens(window);
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
