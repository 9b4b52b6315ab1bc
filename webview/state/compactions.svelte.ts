import type { SessionChange } from '../../extension/protocol/messages';
import type { Caller } from '../../extension/protocol/rpc';
import type { CompactionDetail, CompactionView } from '../../extension/protocol/view';
import { type Loadable, load, loading } from './loadable';
import type { SessionState } from './session.svelte';

/** The list of compactions, newest first, and the one that is open. */
export class Compactions {
  selectedId = $state.raw<string | null>(null);
  detail = $state.raw<Loadable<CompactionDetail> | null>(null);
  readonly #session: SessionState;
  readonly #request: Caller['request'];

  constructor(session: SessionState, request: Caller['request']) {
    this.#session = session;
    this.#request = request;
  }

  readonly list: readonly CompactionView[] = $derived.by(() => [...(this.#session.view?.compactions ?? [])].reverse());
  /** The largest of all, which the bars are drawn against. */
  readonly largestTokens = $derived.by(() => Math.max(1, ...this.list.map(({ tokensBefore }) => tokensBefore ?? 0)));

  toggle = (id: string): void => {
    if (this.selectedId === id) this.reset();
    else void this.select(id);
  };

  async select(id: string): Promise<void> {
    if (this.selectedId !== id) this.detail = loading;
    this.selectedId = id;
    const detail = await load(this.#request('read-compaction', { id }));
    // Another one was selected while this one was read.
    if (this.selectedId === id) this.detail = detail;
  }

  reset(): void {
    this.selectedId = null;
    this.detail = null;
  }

  refresh(change: SessionChange): void {
    if (!change.compactions || this.selectedId === null) return;
    if (change.compactions.some(({ id }) => id === this.selectedId)) void this.select(this.selectedId);
    else this.reset();
  }
}

/** `#5` for a compaction of Strata, `agent` for one that the agent did. */
export function compactionNumber(compaction: CompactionView): string {
  return compaction.seq === null ? 'agent' : `#${compaction.seq}`;
}

/** The number that an id like `strata:5` stands for. */
export function numberOfId(id: string): string {
  const [by, number] = id.split(':');
  return by === 'strata' && number ? `#${number}` : 'one of the agent';
}
