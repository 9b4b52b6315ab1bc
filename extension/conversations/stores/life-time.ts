import { counted } from '../../engine/wording/counts';
import { wordingOf } from '../../engine/wording/localizable-text';
import { leastAge } from '../shelves/prunable';
import type { RecordStore } from './record-store';

interface LifeTimeOptions {
  readonly store: Pick<RecordStore, 'prune'>;
  /** Milliseconds for which a conversation is kept after its newest record. One that may be in use is kept in any case. */
  readonly keepMs: number;
  /** Called with a line on what was deleted, or could not be. */
  readonly tell: (message: string) => void;
  /** Milliseconds since the epoch. Default: the system clock. */
  readonly now?: () => number;
  /** Milliseconds between two runs. Default: an hour. */
  readonly everyMs?: number;
}

const hourMs = 3_600_000;

/** Deletes conversations that were not written to for some time, at once and then at intervals. Several processes may do so on one store. */
export class LifeTime {
  readonly #timer: NodeJS.Timeout;
  #last: Promise<void>;

  constructor(private readonly options: LifeTimeOptions) {
    this.#last = this.#prune();
    this.#timer = setInterval(() => {
      this.#last = this.#last.then(() => this.#prune());
    }, options.everyMs ?? hourMs).unref();
  }

  async #prune(): Promise<void> {
    const { store, keepMs, tell, now = Date.now } = this.options;
    const before = new Date(now() - leastAge({ olderThan: keepMs })).toISOString();
    try {
      const deleted = await store.prune(before);
      if (deleted > 0) tell(`Deleted ${counted(deleted, 'conversation')} not written to since ${before}.`);
    } catch (error) {
      tell(`Old conversations could not be deleted: ${wordingOf(error)}`);
    }
  }

  /** Stops. Resolves when no deletion is in progress. */
  async end(): Promise<void> {
    clearInterval(this.#timer);
    await this.#last;
  }
}
