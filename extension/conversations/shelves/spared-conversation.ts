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

/** What a spared conversation needs of its shelf. */
export interface Sparing {
  /** The shelf is known not to answer, so that nothing waits for it. */
  readonly isAway: boolean;
  /** A call failed. Resolves to whether the shelf answers others, so that a second try is worth it. */
  failed(): Promise<boolean>;
  /** Called for each change that only memory has. */
  spared(conversation: SparedConversation, error: unknown): void;
  /** Called with the core when it has changed. */
  known(beginning: Beginning, core: KnownCore): void;
  /** ISO 8601. */
  now(): string;
}

/** What was written while the shelf did not have it. Messages do not wait for the journal, or the journal for them. */
interface Missed {
  readonly messages: (readonly ConversationRecord[])[];
  readonly journal: (readonly JournalRecord[])[];
}

/** The copy in memory that stands in for the shelf. */
interface Spare extends ShelvedConversation {
  readonly missed: Missed;
  /** ISO 8601. */
  readonly since: string;
  /** The journal as the shelf was known to have it when the copy was made. */
  readonly known: JournalState;
  /** The same with the records that were brought to the shelf since. */
  reached: JournalState;
  /** Others wrote to the journal meanwhile. */
  isOvertaken: boolean;
}

/** A time in which the conversation had another journal in memory than on the shelf. */
interface Detour {
  readonly since: string;
  readonly until: string;
}

/**
 * A conversation of a shelf. When the shelf fails, it goes on in memory as it was last read: messages, compactions, undos and
 * pins. `bringBack` writes what the shelf missed, and then the shelf is used again.
 */
export class SparedConversation implements ShelvedConversation {
  #spare: Spare | null = null;
  readonly #isChanged = { conversation: false, journal: false };
  /** After which the journal of the shelf was another one. */
  #detour: Detour | null = null;
  readonly conversation: RecordedConversation;
  readonly journal: Journal;

  /** `kept`: null while it never was open. `shelve` opens or creates it. `core`: as it was known, for one that is not open. */
  constructor(
    readonly beginning: Beginning,
    private kept: ShelvedConversation | null,
    private readonly shelve: (spare: ShelvedConversation) => Promise<ShelvedConversation>,
    private readonly sparing: Sparing,
    private readonly core: KnownCore = emptyJournalState,
  ) {
    this.conversation = this.#recorded();
    this.journal = this.#journal();
    this.#tellCore();
  }

  get isSpared(): boolean {
    return this.#spare !== null;
  }

  get #now(): ShelvedConversation {
    return this.#spare ?? this.kept ?? this.#spareNow();
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
    if (part === 'journal' && isChanged) this.#tellCore();
    return isChanged;
  }

  /** What cannot be read stays as it was read last. */
  async #read(part: 'conversation' | 'journal'): Promise<boolean> {
    const { kept } = this;
    if (this.#spare !== null || kept === null) return await this.#now[part].refresh();
    if (this.sparing.isAway) return false;
    return await this.#withShelf(
      () => kept[part].refresh(),
      async () => false,
    );
  }

  async #write(records: readonly ConversationRecord[]): Promise<void> {
    if (records.length === 0) return;
    await this.#withShelf(
      ({ conversation }) => conversation.write(records),
      async (error) => {
        const { conversation, missed } = this.#spareFor(error);
        // A piece of a reply comes again with the whole reply.
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
        const spare = this.#spareFor(error);
        await spare.journal.append((state) => {
          const records = drafted(state);
          if (records.length > 0) spare.missed.journal.push(records);
          return records;
        });
      },
    );
    this.#tellCore();
  }

  /** A compaction that was prepared over a journal which the shelf never had. */
  #refuseOvertaken(records: readonly JournalRecord[]): readonly JournalRecord[] {
    const { since, until } = this.#detour ?? { since: '', until: '' };
    const isOvertaken = records.some(({ kind, time }) => kind === 'compaction' && time >= since && time <= until);
    if (!isOvertaken || this.#detour === null) return records;
    throw new OperationRefused('The journal has changed since this compaction was prepared. Prepare it again.');
  }

  /** Works on the shelf; `instead` where that fails, or is known to fail. */
  async #withShelf<T>(
    work: (kept: ShelvedConversation) => Promise<T>,
    instead: (error: unknown) => Promise<T>,
  ): Promise<T> {
    let failure: unknown = null;
    for (let tries = 0; tries < 2; tries += 1) {
      const { kept } = this;
      if (this.#spare !== null || kept === null || this.sparing.isAway) break;
      try {
        return await work(kept);
      } catch (error) {
        if (error instanceof ConversationGone || error instanceof SessionGone || error instanceof OperationRefused)
          throw error;
        failure = error;
        if (!(await this.sparing.failed())) break;
      }
    }
    return await instead(failure);
  }

  #spareFor(error: unknown): Spare {
    const spare = this.#spareNow();
    this.sparing.spared(this, error);
    return spare;
  }

  #spareNow(): Spare {
    const { kept, core, sparing } = this;
    const known = kept?.journal.state ?? emptyJournalState;
    const session = kept?.journal.session ?? { agent: 'strata', id: this.beginning.id, file: '' };
    this.#spare ??= {
      conversation: memoryRecorded(kept === null ? [] : recordsOf(kept.conversation)),
      journal: memoryJournal(session, kept === null ? { ...known, ...core } : known),
      missed: { messages: [], journal: [] },
      since: sparing.now(),
      ...{ known, reached: known, isOvertaken: false },
    };
    return this.#spare;
  }

  #tellCore(): void {
    const { state } = this.#now.journal;
    this.sparing.known(this.beginning, state);
  }

  /** Writes what the shelf missed. Rejects where it still fails; what was written so far is not written again. */
  async bringBack(): Promise<void> {
    const spare = this.#spare;
    if (spare === null) return;
    const kept = await this.#reached(spare);
    for (let next = spare.missed.messages[0]; next !== undefined; next = spare.missed.messages[0]) {
      await writeMessages(kept, spare, next);
      spare.missed.messages.shift();
    }
    for (let next = spare.missed.journal[0]; next !== undefined; next = spare.missed.journal[0]) {
      await appendRecords(kept, spare, next);
      spare.missed.journal.shift();
    }
    await kept.conversation.refresh();
    // Written while the last records were on their way.
    if (spare.missed.messages.length > 0 || spare.missed.journal.length > 0) return await this.bringBack();
    this.kept = kept;
    this.#spare = null;
    this.#isChanged.conversation = true;
    this.#isChanged.journal = true;
    if (spare.isOvertaken) this.#detour = { since: spare.since, until: this.sparing.now() };
    this.#tellCore();
  }

  /** The conversation on the shelf, as it is now. */
  async #reached(spare: Spare): Promise<ShelvedConversation> {
    const kept = this.kept ?? (await this.shelve(spare));
    try {
      await kept.conversation.refresh();
      await kept.journal.refresh();
      return kept;
    } catch (error) {
      if (!(error instanceof ConversationGone || error instanceof SessionGone)) throw error;
      // Deleted meanwhile: it begins again with what happened since.
      this.kept = null;
      return await this.shelve(spare);
    }
  }
}

async function writeMessages(
  { conversation }: ShelvedConversation,
  spare: Spare,
  records: readonly ConversationRecord[],
): Promise<void> {
  await conversation.refresh();
  await conversation.write(missingRecords(records, conversation.conversation, spare.conversation.conversation));
}

async function appendRecords(
  { journal }: ShelvedConversation,
  spare: Spare,
  records: readonly JournalRecord[],
): Promise<void> {
  let reached = spare.reached;
  await journal.append((state) => {
    reached = foldJournal(records, spare.reached);
    if (!spare.isOvertaken && state.lastSeq === spare.reached.lastSeq) return records;
    // The call that failed last may have reached the shelf all the same.
    if (!spare.isOvertaken && isSame(state, reached)) return [];
    spare.isOvertaken = true;
    return rebasedRecords(records, state, spare.known);
  });
  spare.reached = reached;
}

/** By what their records say: a journal has the same records where all of this is the same. */
function isSame(a: JournalState, b: JournalState): boolean {
  const said = ({ itemHistory: _, ...state }: JournalState) => JSON.stringify(state);
  return a.lastSeq === b.lastSeq && said(a) === said(b);
}
