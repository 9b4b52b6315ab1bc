import { LocalizableError, localizable, wordingOf } from '../../engine/wording/localizable-text';
import { oneByOne } from '../../platform/files/in-turn';
import { ConversationGone } from '../shelves/shelf';
import type { ConversationDescription, RecordKey, RecordStore } from './record-store';

/** The records could not be stored; the message names the conversation and the cause. */
export class RecordsNotStored extends LocalizableError {
  override name = 'RecordsNotStored';
}

/** Maximum number of attempts. Others may write at the same time, but each time one writer succeeds. */
const mostTries = 200;

/** The records of one conversation that were read so far. */
export class StoredSequence {
  #length = 0;
  #newest = '';
  /** Runs one operation after the other, because each starts where the one before ended. */
  readonly #inTurn = oneByOne();

  constructor(
    private readonly store: RecordStore,
    readonly key: RecordKey,
    private readonly description: ConversationDescription,
    /** Called with each record once, in order. */
    private readonly take: (record: string) => void,
  ) {}

  get length(): number {
    return this.#length;
  }

  /** Reads what others have appended, in one round trip. Throws `ConversationGone` if previously read records no longer exist. */
  refresh(): Promise<void> {
    return this.#inTurn(() => this.#read());
  }

  /**
   * Appends what `draft` makes of all records that are there, all or none: one round trip, and two more each time that another
   * writer was faster. `draft` is called again then, and may throw to leave the sequence as it is.
   */
  append(draft: () => readonly string[]): Promise<void> {
    return this.#inTurn(() => this.#append(draft));
  }

  /** Reads from the newest known record on: a conversation that was deleted and begun again has another record at its place. */
  async #read(): Promise<void> {
    if (this.#length === 0) return this.#accept(await this.store.read(this.key, 0));
    const [newest, ...added] = await this.store.read(this.key, this.#length - 1);
    if (newest !== this.#newest)
      throw new ConversationGone(localizable('The conversation {0} was deleted from its store.', this.#name));
    this.#accept(added);
  }

  #accept(records: readonly string[]): void {
    for (const record of records) this.take(record);
    this.#length += records.length;
    this.#newest = records.at(-1) ?? this.#newest;
  }

  async #append(draft: () => readonly string[]): Promise<void> {
    for (let tries = 0; tries < mostTries; tries += 1) {
      const records = draft();
      if (records.length === 0) return;
      const isAppended = await this.#tryAppend(records);
      if (isAppended) return this.#accept(records);
      await this.#read();
    }
    throw this.#notStored(new LocalizableError(localizable('others keep writing to it')));
  }

  async #tryAppend(records: readonly string[]): Promise<boolean> {
    try {
      return (await this.store.append(this.key, this.#length, records, this.description)).kind === 'appended';
    } catch (error) {
      // The connection may have broken before the append or after it.
      if (await this.#arrived(records, error)) return true;
      throw this.#notStored(error);
    }
  }

  async #arrived(records: readonly string[], cause: unknown): Promise<boolean> {
    try {
      const found = await this.store.read(this.key, this.#length);
      return found.length >= records.length && records.every((record, index) => record === found[index]);
    } catch (error) {
      throw this.#notStored(new AggregateError([cause, error], `${wordingOf(cause)}; and then ${wordingOf(error)}`));
    }
  }

  get #name(): string {
    return this.description.name ?? this.key.id;
  }

  #notStored(cause: unknown): RecordsNotStored {
    const reason = wordingOf(cause);
    const wording = localizable('The conversation {0} could not be written to its store: {1}', this.#name, reason);
    return new RecordsNotStored(wording, { cause });
  }
}
