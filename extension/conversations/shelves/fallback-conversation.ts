import type { Journal } from '../../engine/journal/journal-access';
import { emptyJournalState, foldJournal, type JournalState } from '../../engine/journal/journal-state';
import { OperationRefused } from '../../engine/journal/operation-refused';
import type { JournalRecord } from '../../engine/journal/records';
import { SessionGone } from '../../sessions/session-gone';
import type { Beginning, ConversationRecord } from '../../sessions/strata/records';
import { memoryJournal } from './memory-journal';
import { appendingRecords, memoryRecorded, type RecordedConversation, recordsOf } from './recorded';
import { missingRecords, rebasedRecords } from './returning-records';
import { ConversationGone, type ShelvedConversation } from './shelf';

/** The protected core, as it is in the state of a journal. */
export type KnownCore = Pick<JournalState, 'items' | 'itemHistory'>;

/** The facts that a conversation needs from its shelf, and the reports that it makes to it. */
export interface ShelfState {
  /** The shelf is known not to answer, so calls do not wait for it. */
  readonly isAway: boolean;
  /** A call failed. Resolves to whether the shelf answers other calls, so that a second try is worth it. */
  failed(): Promise<boolean>;
  /** Called for each change that only memory has. */
  movedToMemory(conversation: FallbackConversation, error: unknown): void;
  /** Called with the core when it has changed. */
  coreChanged(beginning: Beginning, core: KnownCore): void;
  /** ISO 8601. */
  now(): string;
}

/** Records that the shelf does not have yet. Messages do not wait for the journal, nor the journal for messages. */
interface Missed {
  readonly messages: (readonly ConversationRecord[])[];
  readonly journal: (readonly JournalRecord[])[];
}

/** The copy in memory that replaces the conversation on the shelf. */
interface MemoryCopy extends ShelvedConversation {
  readonly missed: Missed;
  /** ISO 8601. */
  readonly since: string;
  /** The journal as the shelf was known to have it when the copy was made. */
  readonly known: JournalState;
  /** The same with the records that were written to the shelf since. */
  reached: JournalState;
  /** Others wrote to the journal on the shelf meanwhile. */
  isOvertaken: boolean;
}

/** A period in which the journal in memory differed from the one on the shelf. */
interface Detour {
  readonly since: string;
  readonly until: string;
}

/**
 * A conversation of a shelf. When the shelf fails, it continues in memory from the state that was read last: messages,
 * compactions, undos and pins. `bringBack` writes what the shelf missed, and then the shelf is used again.
 */
export class FallbackConversation implements ShelvedConversation {
  #copy: MemoryCopy | null = null;
  readonly #isChanged = { conversation: false, journal: false };
  /** The last such period, if others wrote to the journal on the shelf meanwhile. */
  #detour: Detour | null = null;
  readonly conversation: RecordedConversation;
  readonly journal: Journal;

  /** `shelved`: null if it was never opened. `shelve` opens or creates it. `core`: the core that was known last, if it is not open. */
  constructor(
    readonly beginning: Beginning,
    private shelved: ShelvedConversation | null,
    private readonly shelve: (copy: ShelvedConversation) => Promise<ShelvedConversation>,
    private readonly shelf: ShelfState,
    private readonly core: KnownCore = emptyJournalState,
  ) {
    this.conversation = this.#recorded();
    this.journal = this.#journal();
    this.#reportCore();
  }

  get #now(): ShelvedConversation {
    return this.#copy ?? this.shelved ?? this.#copied();
  }

  #recorded(): RecordedConversation {
    const now = () => this.#now.conversation;
    return {
      get conversation() {
        return now().conversation;
      },
      get model() {
        return now().model;
      },
      get contextWindow() {
        return now().contextWindow;
      },
      get limits() {
        return now().limits;
      },
      refresh: () => this.#refresh('conversation'),
      write: (records) => this.#write(records),
      append: async (entries) => {
        await this.#refresh('conversation');
        await this.#write(appendingRecords(now().conversation, entries));
        await this.#refresh('conversation');
      },
    };
  }

  #journal(): Journal {
    const now = () => this.#now.journal;
    return {
      get session() {
        return now().session;
      },
      get state() {
        return now().state;
      },
      refresh: () => this.#refresh('journal'),
      append: (draft) => this.#append(draft),
    };
  }

  async #refresh(part: 'conversation' | 'journal'): Promise<boolean> {
    const isRead = await this.#read(part);
    const isChanged = this.#isChanged[part] || isRead;
    this.#isChanged[part] = false;
    if (part === 'journal' && isChanged) this.#reportCore();
    return isChanged;
  }

  /** If reading fails, the state that was read last stays. */
  async #read(part: 'conversation' | 'journal'): Promise<boolean> {
    const { shelved } = this;
    if (this.#copy !== null || shelved === null) return await this.#now[part].refresh();
    if (this.shelf.isAway) return false;
    return await this.#withShelf(
      () => shelved[part].refresh(),
      async () => false,
    );
  }

  async #write(records: readonly ConversationRecord[]): Promise<void> {
    if (records.length === 0) return;
    await this.#withShelf(
      ({ conversation }) => conversation.write(records),
      async (error) => {
        const { conversation, missed } = this.#inMemory(error);
        // A piece of a reply is repeated by the whole reply.
        const lasting = records.filter(({ type }) => type !== 'piece');
        if (lasting.length > 0) missed.messages.push(lasting);
        await conversation.write(records);
      },
    );
  }

  async #append(draft: (state: JournalState) => readonly JournalRecord[]): Promise<void> {
    let refusal: unknown = null;
    const drafted = (state: JournalState) => {
      try {
        return this.#refuseOvertaken(draft(state));
      } catch (error) {
        refusal = error;
        throw error;
      }
    };
    await this.#withShelf(
      ({ journal }) => journal.append(drafted),
      async (error) => {
        if (refusal !== null) throw refusal;
        const copy = this.#inMemory(error);
        await copy.journal.append((state) => {
          const records = drafted(state);
          if (records.length > 0) copy.missed.journal.push(records);
          return records;
        });
      },
    );
    this.#reportCore();
  }

  /** Refuses a compaction that was prepared on a journal that the shelf never had. */
  #refuseOvertaken(records: readonly JournalRecord[]): readonly JournalRecord[] {
    const { since, until } = this.#detour ?? { since: '', until: '' };
    const isOvertaken = records.some(({ kind, time }) => kind === 'compaction' && time >= since && time <= until);
    if (!isOvertaken || this.#detour === null) return records;
    throw new OperationRefused('The journal has changed since this compaction was prepared. Prepare it again.');
  }

  /** Does the work on the shelf; calls `instead` if that fails or is known to fail. */
  async #withShelf<T>(
    work: (shelved: ShelvedConversation) => Promise<T>,
    instead: (error: unknown) => Promise<T>,
  ): Promise<T> {
    let failure: unknown = null;
    for (let tries = 0; tries < 2; tries += 1) {
      const { shelved } = this;
      if (this.#copy !== null || shelved === null || this.shelf.isAway) break;
      try {
        return await work(shelved);
      } catch (error) {
        if (error instanceof ConversationGone || error instanceof SessionGone || error instanceof OperationRefused)
          throw error;
        failure = error;
        if (!(await this.shelf.failed())) break;
      }
    }
    return await instead(failure);
  }

  #inMemory(error: unknown): MemoryCopy {
    const copy = this.#copied();
    this.shelf.movedToMemory(this, error);
    return copy;
  }

  #copied(): MemoryCopy {
    const { shelved, core, shelf } = this;
    const known = shelved?.journal.state ?? emptyJournalState;
    const session = shelved?.journal.session ?? { agent: 'strata', id: this.beginning.id, file: '' };
    this.#copy ??= {
      conversation: memoryRecorded(shelved === null ? [] : recordsOf(shelved.conversation)),
      journal: memoryJournal(session, shelved === null ? { ...known, ...core } : known),
      missed: { messages: [], journal: [] },
      since: shelf.now(),
      ...{ known, reached: known, isOvertaken: false },
    };
    return this.#copy;
  }

  #reportCore(): void {
    const { state } = this.#now.journal;
    this.shelf.coreChanged(this.beginning, state);
  }

  /** Writes what the shelf missed. Rejects if it still fails; records that were already written are not written again. */
  async bringBack(): Promise<void> {
    const copy = this.#copy;
    if (copy === null) return;
    const shelved = await this.#reached(copy);
    for (let next = copy.missed.messages[0]; next !== undefined; next = copy.missed.messages[0]) {
      await writeMessages(shelved, copy, next);
      copy.missed.messages.shift();
    }
    for (let next = copy.missed.journal[0]; next !== undefined; next = copy.missed.journal[0]) {
      await appendRecords(shelved, copy, next);
      copy.missed.journal.shift();
    }
    await shelved.conversation.refresh();
    // Written while the last records were on their way.
    if (copy.missed.messages.length > 0 || copy.missed.journal.length > 0) return await this.bringBack();
    this.shelved = shelved;
    this.#copy = null;
    this.#isChanged.conversation = true;
    this.#isChanged.journal = true;
    if (copy.isOvertaken) this.#detour = { since: copy.since, until: this.shelf.now() };
    this.#reportCore();
  }

  /** The conversation on the shelf, as it is now. */
  async #reached(copy: MemoryCopy): Promise<ShelvedConversation> {
    const shelved = this.shelved ?? (await this.shelve(copy));
    try {
      await shelved.conversation.refresh();
      await shelved.journal.refresh();
      return shelved;
    } catch (error) {
      if (!(error instanceof ConversationGone || error instanceof SessionGone)) throw error;
      // It was deleted meanwhile, so it begins again with what happened since.
      this.shelved = null;
      return await this.shelve(copy);
    }
  }
}

async function writeMessages(
  { conversation }: ShelvedConversation,
  copy: MemoryCopy,
  records: readonly ConversationRecord[],
): Promise<void> {
  await conversation.refresh();
  await conversation.write(missingRecords(records, conversation.conversation, copy.conversation.conversation));
}

async function appendRecords(
  { journal }: ShelvedConversation,
  copy: MemoryCopy,
  records: readonly JournalRecord[],
): Promise<void> {
  let reached = copy.reached;
  await journal.append((state) => {
    reached = foldJournal(records, copy.reached);
    if (!copy.isOvertaken && state.lastSeq === copy.reached.lastSeq) return records;
    // The call that failed last may have reached the shelf all the same.
    if (!copy.isOvertaken && isSame(state, reached)) return [];
    copy.isOvertaken = true;
    return rebasedRecords(records, state, copy.known);
  });
  copy.reached = reached;
}

/** Journals have the same records if all of their states but the histories of items is the same. */
function isSame(a: JournalState, b: JournalState): boolean {
  const content = ({ itemHistory: _, ...state }: JournalState) => JSON.stringify(state);
  return a.lastSeq === b.lastSeq && content(a) === content(b);
}
