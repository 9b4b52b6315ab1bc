import { emptyJournalState } from '../../engine/journal/journal-state';
import { wordingOf } from '../../engine/wording/localizable-text';
import { inTime } from '../../platform/in-time';
import { RecentMap } from '../../platform/recent-map';
import type { Beginning } from '../../sessions/strata/records';
import { byAge } from '../requests/continuation';
import { Troubles } from '../troubles';
import { returnsTo } from './returning-records';
import {
  ConversationGone,
  type ConversationShelf,
  nameOfConversation,
  type ShelvedConversation,
  usualShelf,
} from './shelf';
import { type KnownCore, SparedConversation, type Sparing } from './spared-conversation';

interface SparedNotices {
  readonly warn: (message: string) => void;
  /** A conversation goes on in memory, because its shelf failed. */
  readonly spared: (beginning: Beginning, error: unknown) => void;
  /** Its shelf has it again, with all that happened meanwhile. */
  readonly returned: (beginning: Beginning) => void;
  /** One that went on in memory is no longer there. */
  readonly evicted: (beginning: Beginning) => void;
  /** ISO 8601. */
  readonly now: () => string;
}

/** In milliseconds. */
interface SparedTiming {
  /** Until it is looked for the first time whether the shelf answers again. */
  readonly firstPause: number;
  /** Between two looks, at most. */
  readonly longestPause: number;
  /** After which a shelf is away that was only asked whether it answers. */
  readonly patience: number;
}

const usualTiming: SparedTiming = { firstPause: 250, longestPause: 1_000, patience: 2_000 };

/** How many conversations it is known of how they begin, and what core they have. */
const mostKnown = 10_000;

/** How many conversations are brought back at a time. */
const atOnce = 4;

/** The beginning of no conversation. */
const nothing = 'strata: does the shelf answer?';

const away = new Error('The store does not answer.');

interface Known {
  readonly beginning: Beginning;
  readonly core: KnownCore;
}

/**
 * A shelf whose conversations go on in memory while it fails, so that pins, undo and compaction still work. They come back to it by
 * themselves. While it is known to be away, nothing waits for it.
 */
export class SparedShelf implements ConversationShelf {
  /** With the reason. Ordered by use, most recent last. */
  readonly #spared = new Map<SparedConversation, string>();
  /** Ordered by use, most recent last. */
  readonly #known = new RecentMap<string, Known>(mostKnown);
  readonly #troubles: Troubles;
  readonly #sparing: Sparing;
  #isAway = false;
  #looking: Promise<boolean> | null = null;
  #bringing: Promise<void> = Promise.resolve();
  #timer: ReturnType<typeof setTimeout> | null = null;
  #pause: number;

  constructor(
    private readonly shelf: ConversationShelf,
    private readonly notices: SparedNotices,
    private readonly timing = usualTiming,
  ) {
    this.#troubles = new Troubles(notices.warn);
    this.#pause = timing.firstPause;
    const isAway = () => this.#isAway;
    this.#sparing = {
      get isAway() {
        return isAway();
      },
      failed: () => this.#answers(),
      spared: (conversation, error) => this.#spare(conversation, error),
      known: (beginning, core) => this.#know(beginning, core),
      now: notices.now,
    };
  }

  /** Number of conversations that only memory has as they are. */
  get spared(): number {
    return this.#spared.size;
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
    const inMemory = [...this.#spared.keys()].map(({ beginning }) => beginning).filter(isAsked);
    const shelved = await this.#onShelf(ask, isAsked);
    return [...inMemory, ...shelved.filter(({ id }) => !inMemory.some((one) => one.id === id))];
  }

  /** Those that were opened here where the shelf fails. */
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
      (spare) => this.#adopted(beginning, spare),
    );
  }

  async openOrCreate(beginning: Beginning): Promise<ShelvedConversation> {
    const spared = this.#sparedOne(beginning.id);
    if (spared !== undefined) return spared;
    const open = () => this.shelf.openOrCreate(beginning);
    return await this.#shelved(beginning, open, open);
  }

  async open(id: string, scope?: string): Promise<ShelvedConversation> {
    const spared = this.#sparedOne(id);
    if (spared !== undefined) return spared;
    const known = this.#known.get(id)?.beginning;
    const open = () => this.shelf.open(id, scope);
    if (known !== undefined && known.scope === scope) return await this.#shelved(known, open, open);
    return new SparedConversation({ id, scope, begins: '', created: '' }, await open(), open, this.#sparing);
  }

  /** In memory where the shelf fails. */
  async #shelved(
    beginning: Beginning,
    shelve: () => Promise<ShelvedConversation>,
    shelveLater: (spare: ShelvedConversation) => Promise<ShelvedConversation>,
  ): Promise<SparedConversation> {
    let failure: unknown = away;
    for (let tries = 0; tries < 2 && !this.#isAway; tries += 1) {
      try {
        return new SparedConversation(beginning, await shelve(), shelveLater, this.#sparing);
      } catch (error) {
        if (error instanceof ConversationGone) throw error;
        failure = error;
        if (!(await this.#answers())) break;
      }
    }
    const core = this.#known.get(beginning.id)?.core;
    const conversation = new SparedConversation(beginning, null, shelveLater, this.#sparing, core);
    this.#spare(conversation, failure);
    return conversation;
  }

  /**
   * The conversation that one continues which was created while others could not be looked up; a new one if there is none. Of
   * several, the one that has most of it.
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
    const spared = this.#sparedOne(id);
    if (spared === undefined) this.shelf.used?.(id);
    else this.#use(spared);
  }

  #use(spared: SparedConversation): void {
    const reason = this.#spared.get(spared) ?? '';
    this.#spared.delete(spared);
    this.#spared.set(spared, reason);
  }

  #sparedOne(id: string): SparedConversation | undefined {
    if (this.#spared.size === 0) return undefined;
    return [...this.#spared.keys()].findLast(({ beginning }) => beginning.id === id);
  }

  #spare(conversation: SparedConversation, error: unknown): void {
    const { beginning } = conversation;
    if (this.#spared.has(conversation)) return;
    const reason = String(wordingOf(error ?? away));
    this.#spared.set(conversation, reason);
    const name = nameOfConversation(beginning);
    this.#troubles.tell(
      `The conversation ${name} could not be kept. It and others go on in memory until they can be: ${reason}`,
      'spared',
    );
    this.notices.spared(beginning, error ?? away);
    const [oldest] = this.#spared.keys();
    if (this.#spared.size > usualShelf && oldest !== undefined) {
      this.#spared.delete(oldest);
      this.notices.evicted(oldest.beginning);
    }
    this.#tryLater();
  }

  #know(beginning: Beginning, { items, itemHistory }: KnownCore): void {
    if (beginning.begins === '') return;
    this.#known.set(beginning.id, { beginning, core: { items, itemHistory } });
  }

  /** Whether the shelf answers at all after a call failed: if not, all others are spared the wait. */
  async #answers(): Promise<boolean> {
    this.#looking ??= this.#look().finally(() => {
      this.#looking = null;
    });
    return await this.#looking;
  }

  async #look(): Promise<boolean> {
    const answer = this.shelf.beginnings(nothing);
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

  /** Brings back what can be brought back now. Never rejects; `spared` says how many are left. */
  bringBack(): Promise<void> {
    this.#bringing = this.#bringing.then(() => this.#bringBack());
    return this.#bringing;
  }

  async #bringBack(): Promise<void> {
    let returned = 0;
    const waiting = [...this.#spared.keys()];
    const bring = async () => {
      for (let next = waiting.shift(); next !== undefined && !this.#isAway; next = waiting.shift())
        returned += (await this.#broughtBack(next)) ? 1 : 0;
    };
    if (await this.#answers()) await Promise.all(Array.from({ length: atOnce }, bring));
    if (returned > 0) this.notices.warn(`The store has conversations again that were kept in memory: ${returned}.`);
    if (this.#isAway || this.#spared.size > 0) return this.#tryLater();
    this.#pause = this.timing.firstPause;
    this.#troubles.over();
  }

  async #broughtBack(conversation: SparedConversation): Promise<boolean> {
    try {
      await conversation.bringBack();
    } catch (error) {
      this.#tellNotReturned(conversation, await this.#answers(), String(wordingOf(error)));
      return false;
    }
    this.#spared.delete(conversation);
    this.notices.returned(conversation.beginning);
    return true;
  }

  /** Nothing where nothing answers, or where this is the reason for which it went on in memory. */
  #tellNotReturned(conversation: SparedConversation, answers: boolean, reason: string): void {
    if (!answers || this.#spared.get(conversation) === reason) return;
    const name = nameOfConversation(conversation.beginning);
    this.#troubles.tell(`The conversation ${name} could not be brought back to its store: ${reason}`, name);
  }
}
