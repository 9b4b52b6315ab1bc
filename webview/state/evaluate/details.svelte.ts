import type { ReplayBoundary } from '../../../extension/evaluation/measure/replay';
import type { ProbeView } from '../../../extension/protocol/evaluation';
import { type Loadable, load, loading } from '../shared/loadable';
import type { EvaluationSource } from './source';

/** Something that was opened from the dashboard, and the list that it was opened from. */
export type Opened =
  | { readonly kind: 'probe'; readonly id: string; readonly shown: Loadable<ProbeView> }
  | { readonly kind: 'boundary'; readonly id: string; readonly shown: Loadable<ReplayBoundary> };

/** What stands behind a number: one probe, or one boundary of a real session. */
export class Details {
  readonly #source: EvaluationSource;
  opened = $state.raw<Opened | null>(null);
  /** Ids in the order in which they were listed, to go on from one to the next. */
  #among = $state.raw<readonly string[]>([]);

  constructor(source: EvaluationSource) {
    this.#source = source;
  }

  /** From 0; -1 where nothing is opened from a list. */
  readonly place = $derived(this.opened ? this.#among.indexOf(this.opened.id) : -1);
  readonly count = $derived(this.#among.length);

  openProbe = async (id: string, among: readonly string[] = [id]): Promise<void> => {
    this.#among = among;
    this.opened = { kind: 'probe', id, shown: loading };
    const shown = await load(this.#source.probe(id));
    if (this.#isOpen('probe', id)) this.opened = { kind: 'probe', id, shown };
  };

  openBoundary = async (id: string, among: readonly string[] = [id]): Promise<void> => {
    this.#among = among;
    this.opened = { kind: 'boundary', id, shown: loading };
    const shown = await load(this.#source.replayBoundary(id));
    if (this.#isOpen('boundary', id)) this.opened = { kind: 'boundary', id, shown };
  };

  /** To the next one of the list, or back; at its ends nothing happens. */
  step = (by: 1 | -1): void => {
    const id = this.#among[this.place + by];
    if (this.place >= 0 && id !== undefined) void this.#open(id);
  };

  retry = (): void => {
    if (this.opened) void this.#open(this.opened.id);
  };

  close = (): void => {
    this.opened = null;
  };

  #open(id: string): Promise<void> {
    return this.opened?.kind === 'boundary' ? this.openBoundary(id, this.#among) : this.openProbe(id, this.#among);
  }

  #isOpen(kind: Opened['kind'], id: string): boolean {
    return this.opened?.kind === kind && this.opened.id === id;
  }
}
