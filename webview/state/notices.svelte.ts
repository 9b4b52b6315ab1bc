import { messageOf } from './shared/loadable';

export interface Notice {
  readonly id: number;
  /** An error stays until it is dismissed; other messages disappear after a while. */
  readonly tone: 'error' | 'news';
  readonly text: string;
}

/** The message bars at the top of the panel. Every failed request is reported here unless it is shown elsewhere. */
export class Notices {
  list = $state.raw<readonly Notice[]>([]);
  /** Only for screen readers: the page shows it anyway. A new object each time, so that repeats are announced. */
  spoken = $state.raw<{ readonly text: string } | null>(null);
  #lastId = 0;

  /**
   * For requests without a result: only their failure is shown. `say` turns the reason into a sentence about what did
   * not happen. True if the request succeeded.
   */
  watch = async (work: Promise<unknown>, say = (reason: string) => reason): Promise<boolean> => {
    try {
      await work;
      return true;
    } catch (error) {
      this.#add('error', say(messageOf(error)));
      return false;
    }
  };

  fail(text: string): void {
    this.#add('error', text);
  }

  tell(text: string): void {
    this.#add('news', text);
  }

  speak(text: string): void {
    this.spoken = { text };
  }

  dismiss = (id: number): void => {
    this.list = this.list.filter((notice) => notice.id !== id);
  };

  /** A repeated message replaces the earlier one, so that failing retries do not pile up. */
  #add(tone: Notice['tone'], text: string): void {
    this.#lastId += 1;
    const others = this.list.filter((notice) => notice.text !== text);
    this.list = [...others, { id: this.#lastId, tone, text }];
  }
}
