import { decodeLine, encodedRecords } from '../../engine/journal/journal';
import type { Journal } from '../../engine/journal/journal-access';
import { emptyJournalState, foldJournal, type JournalState } from '../../engine/journal/journal-state';
import type { JournalRecord } from '../../engine/journal/records';
import { LocalizableError, type LocalizableText, localizable } from '../../engine/wording/localizable-text';
import { sha256Of } from '../../platform/files/sha256';
import { readLine } from '../../platform/lines/line';
import type { ParsedSession } from '../../sessions/session';
import { StrataBuilder } from '../../sessions/strata/builder';
import {
  type Beginning,
  type ConversationRecord,
  conversationVersion,
  type HeaderRecord,
} from '../../sessions/strata/records';
import { type RecordedState, recorded, stateOf } from '../shelves/recorded';
import type { ShelvedConversation } from '../shelves/shelf';
import { lossIn } from './lost-record';
import type { RecordStore } from './record-store';
import { StoredSequence } from './stored-sequence';

/** A record was written by a newer version of Strata. */
export class StoredRecordUnreadable extends LocalizableError {
  override name = 'StoredRecordUnreadable';
}

/** Records of the journal begin like this; those of the conversation begin with their type. */
const journalRecordBegins = '{"checksum":';

/** A conversation in a store, as far as it was read, with its journal. */
export class SharedConversation {
  readonly #builder: StrataBuilder;
  readonly #sequence: StoredSequence;
  #journal: JournalState = emptyJournalState;
  #known: RecordedState | null = null;
  /** Records that this process is writing, by their text. They are used as they are, so that their texts are in memory only once. */
  #writing: ReadonlyMap<string, ConversationRecord | undefined> = new Map();
  #journalSeen = 0;
  /** Number of records that were read. */
  #taken = 0;
  /** Records of the journal, in order. */
  readonly journalRecords: JournalRecord[] = [];

  constructor(
    store: RecordStore,
    private readonly beginning: Beginning,
    /** Named in messages about the conversation. */
    private readonly place = '',
  ) {
    this.#builder = new StrataBuilder(place);
    const { id, begins, created, key = null, scope = '' } = beginning;
    const description = { begins, name: key, created };
    this.#sequence = new StoredSequence(store, { scope, id }, description, (record) => this.#take(record));
  }

  /** Number of records, as far as they were read. */
  get length(): number {
    return this.#sequence.length;
  }

  get isEmpty(): boolean {
    return this.length === 0;
  }

  /** The first record is the header, as in a file. */
  async begun(): Promise<ShelvedConversation> {
    await this.refresh();
    if (!this.isEmpty) return this.shelved;
    const { id, begins, created: time, key, scope } = this.beginning;
    const names = { ...(key === undefined ? {} : { key }), ...(scope === undefined ? {} : { scope }) };
    const header: HeaderRecord = {
      ...{ type: 'strata-conversation', version: conversationVersion, id, time, cwd: null, madeBy: 'library' },
      ...{ begins, ...names },
    };
    await this.#sequence.append(() => (this.isEmpty ? [JSON.stringify(header)] : []));
    return this.shelved;
  }

  refresh(): Promise<void> {
    return this.#sequence.refresh();
  }

  get shelved(): ShelvedConversation {
    return { conversation: this.#recorded(), journal: this.journal };
  }

  #recorded() {
    return recorded(
      {
        read: async () => {
          await this.refresh();
          return this.#state();
        },
        write: async (records) => {
          // A piece of a reply is repeated by the whole reply.
          await this.#write(records.filter(({ type }) => type !== 'piece'));
          return this.#state();
        },
      },
      this.#state(),
    );
  }

  async #write(records: readonly ConversationRecord[]): Promise<void> {
    const lines = records.map((record) => JSON.stringify(record));
    const writing = new Map(lines.map((line, index) => [line, records[index]]));
    try {
      await this.#sequence.append(() => {
        this.#writing = writing;
        return lines;
      });
    } finally {
      if (this.#writing === writing) this.#writing = new Map();
    }
  }

  /** The session that the records describe, as if read from a file. */
  get parsed(): ParsedSession {
    return this.#builder.session();
  }

  get journal(): Journal {
    const state = () => this.#journal;
    return {
      session: { agent: 'strata', id: this.beginning.id, file: this.place },
      get state() {
        return state();
      },
      // The newest state that the conversation has read is used.
      refresh: async () => {
        const hasNew = this.journalRecords.length > this.#journalSeen;
        this.#journalSeen = this.journalRecords.length;
        return hasNew;
      },
      append: async (draft) => {
        await this.#sequence.append(() => [...encodedRecords(draft(this.#journal), this.#journal)]);
        this.#journalSeen = this.journalRecords.length;
      },
    };
  }

  #state(): RecordedState {
    this.#known ??= stateOf(this.#builder.session());
    return this.#known;
  }

  #take(record: string): void {
    this.#taken += 1;
    const loss = this.#accept(record);
    if (loss !== null) this.#builder.acceptLoss(loss, this.#taken);
  }

  /** Null, or why the record is left out. Throws for a record of a newer Strata, because it may change the meaning of the others. */
  #accept(record: string): LocalizableText | null {
    if (record.startsWith(journalRecordBegins)) return this.#acceptOfJournal(record);
    const written = this.#writing.get(record);
    if (written !== undefined) {
      this.#builder.acceptWritten(written, 0);
      this.#known = null;
      return null;
    }
    const loss = lossIn(record);
    if (loss !== null) return loss;
    const reading = readLine({ number: 1, text: record });
    if (reading.kind !== 'record') return localizable('it is not a record');
    this.#builder.acceptRecord(reading.record, 0);
    this.#known = null;
    return null;
  }

  #acceptOfJournal(record: string): LocalizableText | null {
    const decoded = decodeLine(record, sha256Of);
    if (decoded.kind === 'damaged') return decoded.reason;
    if (decoded.kind === 'newer') throw this.#unreadable();
    this.#journal = foldJournal([decoded.record], this.#journal);
    this.journalRecords.push(decoded.record);
    return null;
  }

  #unreadable(): StoredRecordUnreadable {
    const { id } = this.beginning;
    return new StoredRecordUnreadable(
      localizable('The record {0} of the conversation {1} cannot be read.', this.#taken, id),
    );
  }
}
