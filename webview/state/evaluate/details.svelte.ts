import type { ReplayBoundary } from '../../../extension/evaluation/measure/replay';
import type { ProbeView } from '../../../extension/protocol/evaluation';
import { type Loadable, load, loading } from '../shared/loadable';
import type { EvaluationSource } from './source';

/** What was opened from the dashboard. */
export type Opened =
  | { readonly kind: 'probe'; readonly id: string; readonly shown: Loadable<ProbeView> }
  | { readonly kind: 'boundary'; readonly id: string; readonly shown: Loadable<ReplayBoundary> };

/** What a number was computed from: one probe, or one boundary of a real session. */
export class Details {
  opened = $state.raw<Opened | null>(null);
  /** Ids in the order of the list, to move from one to the next. */
  #among = $state.raw<readonly string[]>([]);

  constructor(private readonly source: EvaluationSource) {}

  /** Index in the list; -1 if nothing was opened from a list. */
  readonly place = $derived(this.opened ? this.#among.indexOf(this.opened.id) : -1);
  readonly count = $derived(this.#among.length);

  openProbe = async (id: string, among: readonly string[] = [id]): Promise<void> => {
    this.#among = among;
    this.opened = { kind: 'probe', id, shown: loading };
    const shown = await load(this.source.probe(id));
    if (this.#isOpen('probe', id)) this.opened = { kind: 'probe', id, shown };
  };

  openBoundary = async (id: string, among: readonly string[] = [id]): Promise<void> => {
    this.#among = among;
    this.opened = { kind: 'boundary', id, shown: loading };
    const shown = await load(this.source.replayBoundary(id));
    if (this.#isOpen('boundary', id)) this.opened = { kind: 'boundary', id, shown };
  };

  /** Moves to the next or previous one of the list; does nothing at its ends. */
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
