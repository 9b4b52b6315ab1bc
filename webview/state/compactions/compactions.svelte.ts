import { mainBlock } from '../../../extension/protocol/main-block';
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
interface Repair {
  readonly edit: TextEdit;
  readonly putBack: PutBack;
  readonly rewriting: BlockRewriting;
  /** Questions about the context before and after its run. */
  readonly asking: Asking;
}

/** An entry of the list that is open, or a block of it. */
export class OpenedCompaction {
  detail = $state.raw<Loadable<CompactionDetail>>(loading);

  constructor(
    readonly id: string,
    readonly repair: Repair,
  ) {}
}

/** The list of compactions, newest first, the open one with its actions and its open block, and the chart above the list. */
export class Compactions {
  opened = $state.raw<OpenedCompaction | null>(null);
  /** The open block of a run of several. */
  openedBlock = $state.raw<OpenedCompaction | null>(null);
  readonly history: History;
  readonly #session: SessionState;
  readonly #request: Caller['request'];
  /** By id, so that unsaved text is still there when the user returns to it. */
  readonly #repairs = new Map<string, Repair>();

  constructor(session: SessionState, request: Caller['request']) {
    this.#session = session;
    this.#request = request;
    this.history = new History(request);
  }

  readonly selectedId = $derived.by(() => this.opened?.id ?? null);
  readonly list: readonly CompactionView[] = $derived.by(() => [...(this.#session.view?.compactions ?? [])].reverse());
  /** The largest value; it sets the scale of the bars. */
  readonly largestTokens = $derived.by(() => Math.max(1, ...this.list.map(({ tokensBefore }) => tokensBefore ?? 0)));
  /** Key that changes with everything that the chart shows. */
  readonly historyKey = $derived.by(
    () =>
      `${this.#session.view?.header.file} ${this.#session.view?.gauge.source} ${this.#session.contextRevision} ${this.list.map(({ id, blocks, active }) => (active ? `${id}${blocks.map(({ place }) => place[0]).join('')}` : `(${id})`)).join(' ')}`,
  );

  toggle = (id: string): void => {
    if (this.selectedId === id) this.#close();
    else void this.select(id);
  };

  /** Opens an entry, or an entry with one of its blocks. */
  select = async (id: string): Promise<void> => {
    const entry = this.list.find(({ blocks }) => blocks.some((block) => block.id === id));
    const entryId = entry?.id ?? id;
    if (this.selectedId !== entryId) {
      this.opened = this.#open(entryId, entry ?? this.list.find((each) => each.id === id));
      this.openedBlock = null;
    }
    const reading = [this.#read(this.opened)];
    if (entry && mainBlock(entry)?.id !== id) reading.push(this.#openBlock(id));
    await Promise.all(reading);
  };

  toggleBlock = (id: string): void => {
    if (this.openedBlock?.id === id) this.openedBlock = null;
    else void this.#openBlock(id);
  };

  reset(): void {
    this.#close();
    this.#repairs.clear();
    this.history.reset();
  }

  refresh(change: SessionChange): void {
    const { opened, openedBlock } = this;
    if (!change.compactions || opened === null) return;
    const entry = change.compactions.find(({ id }) => id === opened.id);
    if (!entry) {
      this.#close();
      return;
    }
    void this.#read(opened);
    if (openedBlock && entry.blocks.some(({ id }) => id === openedBlock.id)) void this.#read(openedBlock);
    else this.openedBlock = null;
  }

  retry = (opened: OpenedCompaction): void => {
    opened.detail = loading;
    void this.#read(opened);
  };

  async #openBlock(id: string): Promise<void> {
    if (this.openedBlock?.id !== id) this.openedBlock = this.#open(id, undefined);
    await this.#read(this.openedBlock);
  }

  /** If one block of a run covers its other blocks, changing the run changes that block. */
  #open(id: string, entry: CompactionView | undefined): OpenedCompaction {
    const block = (entry && mainBlock(entry)?.id) ?? id;
    const key = `${id} ${block}`;
    const repair = this.#repairs.get(key) ?? this.#newRepair(id, block);
    this.#repairs.set(key, repair);
    return new OpenedCompaction(id, repair);
  }

  async #read(opened: OpenedCompaction | null): Promise<void> {
    if (opened) opened.detail = await load(this.#request('read-compaction', { id: opened.id }));
  }

  #newRepair(id: string, block: string): Repair {
    return {
      edit: new TextEdit((text, before) => this.#changed(id, this.#request('edit-block', { id: block, text, before }))),
      putBack: new PutBack((texts) => this.#changed(id, this.#request('put-back', { id: block, texts }))),
      rewriting: new BlockRewriting({
        write: () => this.#request('write-again', { id: block }),
        keep: (rewriting) => this.#changed(id, this.#request('keep-rewriting', { rewriting })),
        openDiff: (rewriting) => this.#request('open-rewriting-diff', { rewriting }),
        restore: () => this.#changed(id, this.#request('restore-text', { id: block })),
      }),
      asking: new Asking(() => ({ of: 'compaction', id }), this.#request),
    };
  }

  async #changed(id: string, work: Promise<unknown>): Promise<void> {
    await work;
    if (this.opened?.id === id) await this.#read(this.opened);
    if (this.openedBlock?.id === id) await Promise.all([this.#read(this.openedBlock), this.#read(this.opened)]);
  }

  #close(): void {
    this.opened = null;
    this.openedBlock = null;
  }
}
