import { emptyJournalState } from '../../engine/journal/journal-state';
import { wordingOf } from '../../engine/wording/localizable-text';
import { inTime } from '../../platform/in-time';
import { RecentMap } from '../../platform/recent-map';
import { SessionGone } from '../../sessions/session-gone';
import type { Beginning } from '../../sessions/strata/records';
import { byAge } from '../requests/continuation';
import { Troubles } from '../troubles';
import { FallbackConversation, type KnownCore, type ShelfState } from './fallback-conversation';
import { returnsTo } from './returning-records';
import {
  ConversationGone,
  type ConversationShelf,
  nameOfConversation,
  type ShelvedConversation,
  usualShelf,
} from './shelf';

interface FallbackNotices {
  readonly warn: (message: string) => void;
  /** A conversation continues in memory, because its shelf failed. */
  readonly movedToMemory: (beginning: Beginning, error: unknown) => void;
  /** The shelf has the conversation again, with all that happened meanwhile. */
  readonly returned: (beginning: Beginning) => void;
  /** A conversation that continued in memory was dropped. */
  readonly evicted: (beginning: Beginning) => void;
  /** ISO 8601. */
  readonly now: () => string;
}

/** In milliseconds. */
interface FallbackTiming {
  /** Until the first check whether the shelf answers again. */
  readonly firstPause: number;
  /** Maximum time between two checks. */
  readonly longestPause: number;
  /** Time after which a shelf that does not answer a check counts as unavailable. */
  readonly patience: number;
}

const usualTiming: FallbackTiming = { firstPause: 250, longestPause: 1_000, patience: 2_000 };

/** Number of conversations whose beginnings and cores are remembered. */
const mostKnown = 10_000;

/** Number of conversations that are brought back at the same time. */
const atOnce = 4;

/** No conversation begins like this. */
const noBeginning = 'strata: does the shelf answer?';

const away = new Error('The store does not answer.');

interface Known {
  readonly beginning: Beginning;
  readonly core: KnownCore;
}

/**
 * A shelf whose conversations continue in memory while it fails, so that pins, undo and compaction still work. They return to it
 * automatically. While it is known to be away, no call waits for it.
 */
export class FallbackShelf implements ConversationShelf {
  /** Conversations in memory, each with the reason. Ordered by use, most recent last. */
  readonly #inMemory = new Map<FallbackConversation, string>();
  /** Ordered by use, most recent last. */
  readonly #known = new RecentMap<string, Known>(mostKnown);
  readonly #troubles: Troubles;
  readonly #state: ShelfState;
  #isAway = false;
  #checking: Promise<boolean> | null = null;
  #bringing: Promise<void> = Promise.resolve();
  #timer: ReturnType<typeof setTimeout> | null = null;
  #pause: number;

  constructor(
    private readonly shelf: ConversationShelf,
    private readonly notices: FallbackNotices,
    private readonly timing = usualTiming,
  ) {
    this.#troubles = new Troubles(notices.warn);
    this.#pause = timing.firstPause;
    const isAway = () => this.#isAway;
    this.#state = {
      get isAway() {
        return isAway();
      },
      failed: () => this.#answers(),
      movedToMemory: (conversation, error) => this.#moveToMemory(conversation, error),
      coreChanged: (beginning, core) => this.#know(beginning, core),
      now: notices.now,
    };
  }

  /** Number of conversations whose newest state is only in memory. */
  get inMemory(): number {
    return this.#inMemory.size;
  }

  async beginnings(begins: string, scope?: string): Promise<Beginning[]> {
    const found = await this.#all(
      (shelf) => shelf.beginnings(begins, scope),
      (one) => one.begins === begins && one.scope === scope,
    );
    for (const one of found) if (!this.#known.has(one.id)) this.#know(one, emptyJournalState);
    return found;
  }

  list(scope?: string): Promise<Beginning[]> {
    return this.#all(
      (shelf) => shelf.list(scope),
      (one) => one.scope === scope,
    );
  }

  async #all(
    ask: (shelf: ConversationShelf) => Promise<Beginning[]>,
    isAsked: (beginning: Beginning) => boolean,
  ): Promise<Beginning[]> {
    const inMemory = [...this.#inMemory.keys()].map(({ beginning }) => beginning).filter(isAsked);
    const shelved = await this.#onShelf(ask, isAsked);
    return [...inMemory, ...shelved.filter(({ id }) => !inMemory.some((one) => one.id === id))];
  }

  /** If the shelf fails, the conversations that were opened here. */
  async #onShelf(
    ask: (shelf: ConversationShelf) => Promise<Beginning[]>,
    isAsked: (beginning: Beginning) => boolean,
  ): Promise<Beginning[]> {
    try {
      if (!this.#isAway) return await ask(this.shelf);
    } catch (error) {
      this.#troubles.tell(`Conversations could not be looked up: ${wordingOf(error)}`, 'look up');
      await this.#answers();
    }
    return [...this.#known.values()].map(({ beginning }) => beginning).filter(isAsked);
  }

  async create(beginning: Beginning): Promise<ShelvedConversation> {
    return await this.#shelved(
      beginning,
      () => this.shelf.create(beginning),
      (copy) => this.#adopted(beginning, copy),
    );
  }

  async openOrCreate(beginning: Beginning): Promise<ShelvedConversation> {
    const found = this.#findInMemory(beginning.id);
    if (found !== undefined) return found;
    const open = () => this.shelf.openOrCreate(beginning);
    return await this.#shelved(beginning, open, open);
  }

  async open(id: string, scope?: string): Promise<ShelvedConversation> {
    const found = this.#findInMemory(id);
    if (found !== undefined) return found;
    const known = this.#known.get(id)?.beginning;
    const open = () => this.shelf.open(id, scope);
    if (known !== undefined && known.scope === scope)
      return await this.#shelved(known, open, () => this.shelf.openOrCreate(known));
    return new FallbackConversation({ id, scope, begins: '', created: '' }, await open(), open, this.#state);
  }

  /** Continues in memory if the shelf fails. */
  async #shelved(
    beginning: Beginning,
    shelve: () => Promise<ShelvedConversation>,
    shelveLater: (copy: ShelvedConversation) => Promise<ShelvedConversation>,
  ): Promise<FallbackConversation> {
    let failure: unknown = away;
    for (let tries = 0; tries < 2 && !this.#isAway; tries += 1) {
      try {
        return new FallbackConversation(beginning, await shelve(), shelveLater, this.#state);
      } catch (error) {
        if (error instanceof ConversationGone || error instanceof SessionGone) throw error;
        failure = error;
        if (!(await this.#answers())) break;
      }
    }
    const core = this.#known.get(beginning.id)?.core;
    const conversation = new FallbackConversation(beginning, null, shelveLater, this.#state, core);
    this.#moveToMemory(conversation, failure);
    return conversation;
  }

  /**
   * A conversation that was created while the shelf was away may continue one on the shelf: the one that has most of its
   * messages, or a new one if there is none.
   */
  async #adopted(beginning: Beginning, { conversation }: ShelvedConversation): Promise<ShelvedConversation> {
    const { begins, scope, id } = beginning;
    const others = (await this.shelf.beginnings(begins, scope)).filter((one) => one.id !== id);
    let best: { readonly shelved: ShelvedConversation; readonly length: number } | null = null;
    for (const other of others.sort(byAge)) {
      const shelved = await this.shelf.open(other.id, scope);
      const length = returnsTo(conversation.conversation, shelved.conversation.conversation);
      if (length > (best?.length ?? 0)) best = { shelved, length };
    }
    return best?.shelved ?? (await this.shelf.openOrCreate(beginning));
  }

  used(id: string): void {
    const found = this.#findInMemory(id);
    if (found === undefined) this.shelf.used?.(id);
    else this.#use(found);
  }

  #use(conversation: FallbackConversation): void {
    const reason = this.#inMemory.get(conversation) ?? '';
    this.#inMemory.delete(conversation);
    this.#inMemory.set(conversation, reason);
  }

  #findInMemory(id: string): FallbackConversation | undefined {
    if (this.#inMemory.size === 0) return undefined;
    return [...this.#inMemory.keys()].findLast(({ beginning }) => beginning.id === id);
  }

  #moveToMemory(conversation: FallbackConversation, error: unknown): void {
    const { beginning } = conversation;
    if (this.#inMemory.has(conversation)) return;
    const reason = String(wordingOf(error ?? away));
    this.#inMemory.set(conversation, reason);
    const name = nameOfConversation(beginning);
    this.#troubles.tell(
      `The conversation ${name} could not be kept. It and others go on in memory until they can be: ${reason}`,
      'in memory',
    );
    this.notices.movedToMemory(beginning, error ?? away);
    const [oldest] = this.#inMemory.keys();
    if (this.#inMemory.size > usualShelf && oldest !== undefined) {
      this.#inMemory.delete(oldest);
      this.notices.evicted(oldest.beginning);
    }
    this.#tryLater();
  }

  #know(beginning: Beginning, { items, itemHistory }: KnownCore): void {
    if (beginning.begins === '') return;
    this.#known.set(beginning.id, { beginning, core: { items, itemHistory } });
  }

  /** Checks whether the shelf answers at all after a call failed. If it does not, other calls do not wait for it. */
  async #answers(): Promise<boolean> {
    this.#checking ??= this.#check().finally(() => {
      this.#checking = null;
    });
    return await this.#checking;
  }

  async #check(): Promise<boolean> {
    const answer = this.shelf.beginnings(noBeginning);
    try {
      await inTime(answer, this.timing.patience);
      this.#isAway = false;
    } catch {
      this.#isAway = true;
      this.#tryLater();
      // A busy server answers late, but it answers.
      void answer.then(
        () => this.bringBack(),
        () => undefined,
      );
    }
    return !this.#isAway;
  }

  #tryLater(): void {
    if (this.#timer !== null) return;
    this.#timer = setTimeout(() => {
      this.#timer = null;
      this.#pause = Math.min(this.#pause * 2, this.timing.longestPause);
      void this.bringBack();
    }, this.#pause);
    // In a browser, a timer is a number.
    if (typeof this.#timer === 'object') this.#timer.unref();
  }

  /** Brings back what can be brought back now. Never rejects; `inMemory` says how many are left. */
  bringBack(): Promise<void> {
    this.#bringing = this.#bringing.then(() => this.#bringBack());
    return this.#bringing;
  }

  async #bringBack(): Promise<void> {
    let returned = 0;
    const waiting = [...this.#inMemory.keys()];
    const bring = async () => {
      for (let next = waiting.shift(); next !== undefined && !this.#isAway; next = waiting.shift())
        returned += (await this.#broughtBack(next)) ? 1 : 0;
    };
    if (await this.#answers()) await Promise.all(Array.from({ length: atOnce }, bring));
    if (returned > 0) this.notices.warn(`The store has conversations again that were kept in memory: ${returned}.`);
    if (this.#isAway || this.#inMemory.size > 0) return this.#tryLater();
    this.#pause = this.timing.firstPause;
    this.#troubles.over();
  }

  async #broughtBack(conversation: FallbackConversation): Promise<boolean> {
    try {
      await conversation.bringBack();
    } catch (error) {
      this.#tellNotReturned(conversation, await this.#answers(), String(wordingOf(error)));
      return false;
    }
    this.#inMemory.delete(conversation);
    this.notices.returned(conversation.beginning);
    return true;
  }

  /** Silent if the shelf does not answer, or if the conversation is in memory for this very reason. */
  #tellNotReturned(conversation: FallbackConversation, answers: boolean, reason: string): void {
    if (!answers || this.#inMemory.get(conversation) === reason) return;
    const name = nameOfConversation(conversation.beginning);
    this.#troubles.tell(`The conversation ${name} could not be brought back to its store: ${reason}`, name);
  }
}
