import type { Caller } from '../../../extension/protocol/rpc';
import type { HistoryView } from '../../../extension/protocol/view';
import { type Loadable, load } from '../shared/loadable';

/** Minimum milliseconds between two requests: the host recomputes the history for each. */
const pause = 1_000;

/** The chart's data. It is requested while the chart is visible, and at most once a second. */
export class History {
  shown = $state.raw<Loadable<HistoryView> | null>(null);
  driftShown = $state(true);
  /** Keys of the session states that are wanted and that were read last. */
  #wanted: string | null = null;
  #known: string | null = null;
  #isReading = false;

  constructor(
    private readonly request: Caller['request'],
    private readonly rest: () => Promise<void> = restFor,
  ) {}

  readonly view: HistoryView | null = $derived(this.shown?.kind === 'ready' ? this.shown.value : null);

  /** Call when the chart is visible, with the key of the session's state. */
  want = async (key: string): Promise<void> => {
    this.#wanted = key;
    if (this.#isReading) return;
    this.#isReading = true;
    while (this.#wanted !== this.#known) {
      this.#known = this.#wanted;
      await this.#read();
      await this.rest();
    }
    this.#isReading = false;
  };

  retry = (): void => {
    this.#known = null;
    if (this.#wanted !== null) void this.want(this.#wanted);
  };

  reset(): void {
    this.#wanted = null;
    this.#known = null;
    this.shown = null;
  }

  toggleDrift = (): void => {
    this.driftShown = !this.driftShown;
  };

  /** Drops the answer if another session was opened in the meantime. */
  async #read(): Promise<void> {
    const key = this.#known;
    const answer = await load(this.request('read-history', {}));
    if (key === this.#known) this.shown = answer;
  }
}

function restFor(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, pause));
}
