import type { RewritingView } from '../../../extension/protocol/view';
import { type Loadable, load, loading, messageOf } from '../shared/loadable';

/** The requests to the host for rewriting one block. */
interface RewritingRequests {
  write(): Promise<RewritingView | null>;
  keep(rewriting: string): Promise<unknown>;
  openDiff(rewriting: string): Promise<unknown>;
  restore(): Promise<unknown>;
}

/** A block that a model rewrites. The old text stays until the person chooses the new one. */
export class BlockRewriting {
  /** Null unless a text is being written or is to be chosen. */
  written = $state.raw<Loadable<RewritingView> | null>(null);
  isKeeping = $state(false);
  failure = $state<string | null>(null);

  constructor(private readonly requests: RewritingRequests) {}

  readonly isWriting = $derived.by(() => this.written?.kind === 'loading');

  write = async (): Promise<void> => {
    if (this.isWriting) return;
    this.failure = null;
    this.written = loading;
    const written = await load(this.requests.write());
    this.written = written.kind === 'ready' && written.value === null ? null : (written as Loadable<RewritingView>);
  };

  keepOld = (): void => {
    this.written = null;
    this.failure = null;
  };

  keepNew = (): Promise<void> => {
    const { written } = this;
    if (written?.kind !== 'ready') return Promise.resolve();
    return this.#change(this.requests.keep(written.value.id));
  };

  restore = (): Promise<void> => this.#change(this.requests.restore());

  openDiff = (): void => {
    const { written } = this;
    if (written?.kind === 'ready') void this.#watch(this.requests.openDiff(written.value.id));
  };

  async #change(work: Promise<unknown>): Promise<void> {
    this.isKeeping = true;
    if (await this.#watch(work)) this.written = null;
    this.isKeeping = false;
  }

  async #watch(work: Promise<unknown>): Promise<boolean> {
    this.failure = null;
    try {
      await work;
      return true;
    } catch (error) {
      this.failure = messageOf(error);
      return false;
    }
  }
}
