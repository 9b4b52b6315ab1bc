import type { SessionChange } from '../../../extension/protocol/messages';
import type { Caller } from '../../../extension/protocol/rpc';
import type { CompactionDetail, CompactionView } from '../../../extension/protocol/view';
import { Asking } from '../asking/asking.svelte';
import { History } from '../chart/history.svelte';
import type { SessionState } from '../session.svelte';
import { type Loadable, load, loading } from '../shared/loadable';
import { PutBack } from '../shared/put-back.svelte';
import { BlockRewriting } from './rewriting.svelte';
import { TextEdit } from './text-edit.svelte';

/** The ways to change the text of a block, and to ask about it. */
export interface Repair {
  readonly edit: TextEdit;
  readonly putBack: PutBack;
  readonly rewriting: BlockRewriting;
  /** Questions about the context before and after its run. */
  readonly asking: Asking;
}

/** The list of compactions, newest first, the open one with its actions, and the chart above the list. */
export class Compactions {
  selectedId = $state.raw<string | null>(null);
  detail = $state.raw<Loadable<CompactionDetail> | null>(null);
  /** Changes to the text of the open compaction. */
  repair = $state.raw<Repair | null>(null);
  readonly history: History;
  readonly #session: SessionState;
  readonly #request: Caller['request'];
  /** By the id of the compaction, so that unsaved text is still there when the user returns to it. */
  readonly #repairs = new Map<string, Repair>();

  constructor(session: SessionState, request: Caller['request']) {
    this.#session = session;
    this.#request = request;
    this.history = new History(request);
  }

  readonly list: readonly CompactionView[] = $derived.by(() => [...(this.#session.view?.compactions ?? [])].reverse());
  /** The largest value; it sets the scale of the bars. */
  readonly largestTokens = $derived.by(() => Math.max(1, ...this.list.map(({ tokensBefore }) => tokensBefore ?? 0)));
  /** Key that changes with everything that the chart shows. */
  readonly historyKey = $derived.by(
    () =>
      `${this.#session.view?.header.file} ${this.#session.view?.gauge.source} ${this.#session.contextRevision} ${this.list.map(({ id, active }) => (active ? id : `(${id})`)).join(' ')}`,
  );

  toggle = (id: string): void => {
    if (this.selectedId === id) this.#unselect();
    else void this.select(id);
  };

  select = async (id: string): Promise<void> => {
    if (this.selectedId !== id) this.#begin(id);
    const detail = await load(this.#request('read-compaction', { id }));
    // Another compaction was selected while this one was read.
    if (this.selectedId === id) this.detail = detail;
  };

  reset(): void {
    this.#unselect();
    this.#repairs.clear();
    this.history.reset();
  }

  refresh(change: SessionChange): void {
    if (!change.compactions || this.selectedId === null) return;
    if (change.compactions.some(({ id }) => id === this.selectedId)) void this.select(this.selectedId);
    else this.#unselect();
  }

  #begin(id: string): void {
    this.selectedId = id;
    this.detail = loading;
    this.repair = this.#repairs.get(id) ?? this.#newRepair(id);
    this.#repairs.set(id, this.repair);
  }

  #newRepair(id: string): Repair {
    return {
      edit: new TextEdit((text, before) => this.#changed(id, this.#request('edit-block', { id, text, before }))),
      putBack: new PutBack((texts) => this.#changed(id, this.#request('put-back', { id, texts }))),
      rewriting: new BlockRewriting({
        write: () => this.#request('write-again', { id }),
        keep: (rewriting) => this.#changed(id, this.#request('keep-rewriting', { rewriting })),
        openDiff: (rewriting) => this.#request('open-rewriting-diff', { rewriting }),
        restore: () => this.#changed(id, this.#request('restore-text', { id })),
      }),
      asking: new Asking(() => ({ of: 'compaction', id }), this.#request),
    };
  }

  async #changed(id: string, work: Promise<unknown>): Promise<void> {
    await work;
    if (this.selectedId === id) await this.select(id);
  }

  #unselect(): void {
    this.selectedId = null;
    this.detail = null;
    this.repair = null;
  }
}
