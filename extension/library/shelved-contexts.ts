import { smallWindowParameters } from '../conversations/compaction/small-window';
import { OpenConversations } from '../conversations/open-conversations';
import type { RequestStore } from '../conversations/requests/conversation-finder';
import { beginsIn, keyedBeginning } from '../conversations/requests/identity';
import { ServedConversation } from '../conversations/served-conversation';
import type { FallbackShelf } from '../conversations/shelves/fallback-shelf';
import { ConversationGone, type ShelvedConversation } from '../conversations/shelves/shelf';
import type { Troubles } from '../conversations/troubles';
import { TokenLedger } from '../engine/conversation/tokens';
import { localizable, wordingOf } from '../engine/wording/localizable-text';
import type { Beginning } from '../sessions/strata/records';
import { AgentContext } from './agent-context';
import type { ConversationsOptions } from './conversations-options';
import { automationOf } from './create-context';
import type { Setting } from './setting';

/** Opening a conversation again takes about ten milliseconds per megabyte, so those of working agents stay open. */
const openLimits = { conversations: 500, bytes: 128 * 1024 * 1024 };

interface ShelvedContextsParts {
  readonly shelf: FallbackShelf;
  readonly options: ConversationsOptions;
  /** Shared by all conversations: tools, the breaker, the ledger's tokenizer. */
  readonly common: Setting;
  readonly troubles: Troubles;
}

/** The conversations on a shelf, each with its context. A conversation is opened when it is needed, and only in its own scope. */
export class ShelvedContexts implements RequestStore<ServedConversation> {
  readonly #open = new OpenConversations<ServedConversation>((opened) => this.#announce(opened), openLimits);
  /** Ids of the conversations that `onConversation` was called with. */
  readonly #announced = new Set<string>();
  readonly #contexts = new WeakMap<ServedConversation, AgentContext>();

  constructor(private readonly parts: ShelvedContextsParts) {}

  /** The open contexts of all scopes, the one with the newest request last. */
  get all(): readonly AgentContext[] {
    return this.#open.all.flatMap((open) => this.#contexts.get(open) ?? []);
  }

  contextOf(conversation: ServedConversation): AgentContext {
    const context = this.#contexts.get(conversation);
    if (context === undefined)
      throw new ConversationGone(localizable('There is no conversation {0}.', conversation.id));
    return context;
  }

  beginnings(begins: string, scope: string | undefined): Promise<Beginning[]> {
    return this.parts.shelf.beginnings(beginsIn(scope, begins), scope);
  }

  async create(begins: string, scope: string | undefined): Promise<ServedConversation> {
    const { newId, now } = this.parts.common.effects;
    const beginning = {
      id: newId(),
      begins: beginsIn(scope, begins),
      created: now(),
      ...(scope === undefined ? {} : { scope }),
    };
    return await this.#open.take(beginning.id, this.#opening(beginning, this.parts.shelf.create(beginning)));
  }

  /** An id alone opens nothing of another scope. */
  async open(id: string, scope: string | undefined): Promise<ServedConversation> {
    const { shelf } = this.parts;
    shelf.used(id);
    const conversation = await this.#open.open(id, () => this.#opening({ id, scope }, shelf.open(id, scope)));
    if (this.contextOf(conversation).identity.scope === scope) return conversation;
    throw new ConversationGone(localizable('There is no conversation {0}.', id));
  }

  async keyed(key: string, scope: string | undefined, branch?: string): Promise<ServedConversation> {
    const { shelf, common } = this.parts;
    const beginning = keyedBeginning(key, scope, common.effects.now(), branch);
    shelf.used(beginning.id);
    return await this.#open.open(beginning.id, () => this.#opening(beginning, shelf.openOrCreate(beginning)));
  }

  async #opening(
    { id, key, scope }: Pick<Beginning, 'id' | 'key' | 'scope'>,
    shelving: Promise<ShelvedConversation>,
  ): Promise<ServedConversation> {
    const shelved = await shelving;
    const identity = { id, conversation: key, scope };
    const context = new AgentContext(this.#settingOf(shelved), shelved, this.parts.troubles, identity);
    await this.#pin(context);
    const conversation = new ServedConversation(id, shelved.conversation, context.workbench, context.automatic);
    this.#contexts.set(conversation, context);
    return conversation;
  }

  /** Pins come before the first message. A program may have ended after adding only some of them. */
  async #pin(context: AgentContext): Promise<void> {
    if (context.entries.length > 0) return;
    for (const { kind, text, rationale = null } of this.parts.options.pins ?? []) {
      const isThere = context.items.some((item) => item.kind === kind && item.text === text);
      if (!isThere) await context.pin(kind, text, { rationale });
    }
  }

  #announce(opened: ServedConversation): void {
    const context = this.#contexts.get(opened);
    if (this.#announced.has(opened.id)) return;
    this.#announced.add(opened.id);
    try {
      if (context) this.parts.options.onConversation?.(context);
    } catch (error) {
      this.parts.troubles.tell(`onConversation failed: ${wordingOf(error)}`);
    }
  }

  /** The window is that of the newest request's model. */
  #settingOf({ conversation }: ShelvedConversation): Setting {
    const { options, common } = this.parts;
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
