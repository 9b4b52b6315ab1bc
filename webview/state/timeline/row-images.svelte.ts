import { SvelteMap } from 'svelte/reactivity';
import type { Caller } from '../../../extension/protocol/rpc';
import type { ImageView } from '../../../extension/protocol/view';
import { type Loadable, load, loading } from '../shared/loadable';

/** Maximum number of rows whose images are kept: a few screens. Images are large and can be requested again. */
const mostRows = 80;

/** The images of the rows on screen, by the key of the row. */
export class RowImages {
  readonly #known = new SvelteMap<string, Loadable<readonly ImageView[]>>();

  constructor(private readonly request: Caller['request']) {}

  of(key: string): Loadable<readonly ImageView[]> | undefined {
    return this.#known.get(key);
  }

  /** Call when a row with images has stayed on screen. */
  async read(key: string): Promise<void> {
    if (this.#known.has(key)) return;
    this.#makeRoom();
    this.#known.set(key, loading);
    const read = await load(this.request('read-images', { key }));
    // Dropped while it was read: the row has changed.
    if (this.#known.has(key)) this.#known.set(key, read);
  }

  /** Without a key, drops the images of all rows. */
  forget(key?: string): void {
    if (key === undefined) this.#known.clear();
    else this.#known.delete(key);
  }

  #makeRoom(): void {
    const [oldest] = this.#known.keys();
    if (oldest !== undefined && this.#known.size >= mostRows) this.#known.delete(oldest);
  }
}
