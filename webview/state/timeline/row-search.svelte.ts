import type { Caller } from '../../../extension/protocol/rpc';
import { load } from '../shared/loadable';

/** Milliseconds without a keystroke before the host is asked. */
const afterTyping = 250;
/** Milliseconds to wait after a change of the session, because many follow each other while an agent works. */
const afterChange = 1_000;

const none: ReadonlySet<string> = new Set();

/** Search by the host in the full texts of rows and beneath blocks; the panel has only the starts of texts. */
export class RowSearch {
  /** Keys of rows that contain all the words. */
  keys = $state.raw(none);
  isPending = $state(false);
  /** Why the full texts could not be searched. */
  failure = $state.raw<string | null>(null);
  #words = '';
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** Number of the newest request; answers to older ones are dropped. */
  #asked = 0;

  constructor(private readonly request: Caller['request']) {}

  /** Call on every change of the words; an empty list ends the search. */
  look(words: readonly string[]): void {
    const joined = words.join(' ');
    if (joined === this.#words) return;
    this.#words = joined;
    this.keys = none;
    this.failure = null;
    this.isPending = joined !== '';
    this.#asked += 1;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.isPending) this.#askIn(afterTyping);
  }

  /** Call after the session changed. The old result stays until the new one arrives. */
  lookAgain(): void {
    if (this.#words !== '' && this.#timer === undefined) this.#askIn(afterChange);
  }

  #askIn(pause: number): void {
    this.#timer = setTimeout(() => void this.#ask(), pause);
  }

  async #ask(): Promise<void> {
    this.#timer = undefined;
    this.#asked += 1;
    const asked = this.#asked;
    const read = await load(this.request('find-rows', { words: this.#words }));
    if (asked !== this.#asked) return;
    this.isPending = false;
    this.failure = read.kind === 'failed' ? read.message : null;
    if (read.kind === 'ready') this.keys = new Set(read.value.keys);
  }
}
