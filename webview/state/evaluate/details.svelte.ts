import type { ReplayBoundary } from '../../../extension/evaluation/measure/replay';
import type { ProbeView } from '../../../extension/protocol/evaluation';
import { type Loadable, load, loading } from '../shared/loadable';
import type { EvaluationSource } from './source';

/** The detail that was opened from the dashboard. */
export type Opened =
  | { readonly kind: 'probe'; readonly id: string; readonly shown: Loadable<ProbeView> }
  | { readonly kind: 'boundary'; readonly id: string; readonly shown: Loadable<ReplayBoundary> };

/** The source of a number: one probe, or one boundary of a real session. */
export class Details {
  opened = $state.raw<Opened | null>(null);
  /** Ids in the order of the list, to move from one to the next. */
  #among = $state.raw<readonly string[]>([]);

  constructor(private readonly source: EvaluationSource) {}

  /** Index in the list; -1 if nothing was opened from a list. */
  readonly place = $derived(this.opened ? this.#among.indexOf(this.opened.id) : -1);
  readonly count = $derived(this.#among.length);

  openProbe = (id: string, among: readonly string[] = [id]): Promise<void> => this.#open('probe', id, among);

  openBoundary = (id: string, among: readonly string[] = [id]): Promise<void> => this.#open('boundary', id, among);

  /** Moves to the next or previous one of the list; does nothing at its ends. */
  step = (by: 1 | -1): void => {
    const id = this.#among[this.place + by];
    if (this.opened && this.place >= 0 && id !== undefined) void this.#open(this.opened.kind, id, this.#among);
  };

  retry = (): void => {
    if (this.opened) void this.#open(this.opened.kind, this.opened.id, this.#among);
  };

  close = (): void => {
    this.opened = null;
  };

  async #open(kind: Opened['kind'], id: string, among: readonly string[]): Promise<void> {
    const opening: Opened = { kind, id, shown: loading };
    this.#among = among;
    this.opened = opening;
    const answer: Promise<ProbeView | ReplayBoundary> =
      kind === 'probe' ? this.source.probe(id) : this.source.replayBoundary(id);
    const shown = await load(answer);
    if (this.opened === opening) this.opened = { kind, id, shown } as Opened;
  }
}
