import type { RewritingView } from '../../../extension/protocol/view';
import { Attempt } from '../shared/attempt.svelte';
import { type Loadable, load, loading } from '../shared/loadable';

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
  /** The last act on a text: putting it into the block, or showing it in a diff. */
  readonly attempt = new Attempt();

  constructor(private readonly requests: RewritingRequests) {}

  readonly isWriting = $derived.by(() => this.written?.kind === 'loading');

  write = async (): Promise<void> => {
    if (this.isWriting) return;
    this.attempt.failure = null;
    this.written = loading;
    const written = await load(this.requests.write());
    this.written = written.kind === 'ready' && written.value === null ? null : (written as Loadable<RewritingView>);
  };

  keepOld = (): void => {
    this.written = null;
    this.attempt.failure = null;
  };

  keepNew = async (): Promise<void> => {
    const { written } = this;
    if (written?.kind === 'ready') await this.#change(() => this.requests.keep(written.value.id));
  };

  restore = (): Promise<void> => this.#change(() => this.requests.restore());

  openDiff = (): void => {
    const { written } = this;
    if (written?.kind === 'ready') void this.attempt.run(() => this.requests.openDiff(written.value.id));
  };

  async #change(work: () => Promise<unknown>): Promise<void> {
    if (await this.attempt.run(work)) this.written = null;
  }
}
