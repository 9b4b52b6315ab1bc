import { wordingOf } from '../../engine/wording/localizable-text';
import type { UnplacedEntry } from '../../middleware/recognition/received';
import type { IncomingRequest } from '../../middleware/requests/recording';
import type { Beginning } from '../../sessions/strata/records';
import type { ServedConversation } from '../served-conversation';
import {
  byAge,
  continuationOf,
  hasParted,
  hasReply,
  isOneOff,
  type KnownConversation,
  knowsReplies,
} from './continuation';

/** Stores the conversations of requests. Those of one scope are never those of another. */
export interface RequestStore<C extends ServedConversation> {
  /** Conversations that begin with this entry, including ones that another process has just created. */
  beginnings(begins: string, scope?: string): Promise<Beginning[]>;
  create(begins: string, scope?: string): Promise<C>;
  /** The conversation, refreshed. */
  open(id: string, scope?: string): Promise<C>;
  /** The conversation with this key, refreshed; created if there is none. `branch` selects one of several with the same key. */
  keyed(key: string, scope?: string, branch?: string): Promise<C>;
}

export interface RequestChoices {
  /** All requests are one person's: one without the newest messages goes back. See `continuationOf`. */
  readonly goesBack: boolean;
  /** False: a request that nothing continues yet, and that offers no tools, is forwarded without being recorded. See `isOneOff`. Absent: true. */
  readonly keepsOneOffs?: boolean;
}

/** Finds the conversation that a request without a key continues, by the entries that it begins with. */
export class ConversationFinder<C extends ServedConversation> {
  constructor(
    private readonly store: RequestStore<C>,
    private readonly choices: RequestChoices,
    private readonly isAnswering: (id: string) => boolean,
    private readonly warn: (message: string) => void,
  ) {}

  /** Null if the request continues none. */
  async find(begins: string, request: IncomingRequest): Promise<C | null> {
    const { received, signal, identity: { scope } = {} } = request;
    const opened = await this.#candidates(begins, received.entries, scope);
    signal.throwIfAborted();
    const known = [...opened].map(([beginning, conversation]) => this.#known(beginning, conversation));
    const continuation = continuationOf(received.entries, known, this.choices.goesBack);
    return [...opened.values()].find(({ id }) => continuation.kind === 'continues' && id === continuation.id) ?? null;
  }

  /** Whether a request that continues no conversation is forwarded without being recorded. */
  isSkipped(request: IncomingRequest): boolean {
    return this.choices.keepsOneOffs === false && isOneOff(request);
  }

  /** Candidates that the request may continue, newest first. Opens only as many as needed to decide. */
  async #candidates(
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
      this.warn(`The conversation ${id} could not be opened: ${wordingOf(error)}`);
      return null;
    }
  }

  #known({ id, created }: Beginning, { conversation, known }: C): KnownConversation {
    return {
      ...{ id, created, path: known.path },
      hasReply: hasReply(conversation.entries),
      prefixOf: (entries) => known.prefixOf(entries),
      isAnswering: this.isAnswering(id),
    };
  }
}
