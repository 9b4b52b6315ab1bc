import { messageOf } from './shared/loadable';

export interface Notice {
  readonly id: number;
  /** An error stays until it is dismissed; news goes by itself. */
  readonly tone: 'error' | 'news';
  readonly text: string;
}

/** The message bars on top of the panel. What a request could not do ends up here, never nowhere. */
export class Notices {
  list = $state.raw<readonly Notice[]>([]);
  /** What is only read out: the page shows it by itself. Each is an object of its own, so that it is told twice. */
  spoken = $state.raw<{ readonly text: string } | null>(null);
  #lastId = 0;

  /**
   * For requests that answer nothing: their failure is all there is to show. `say` puts what did not happen before the
   * reason. True when the work was done.
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

  /** The same message again replaces the one before, so that a failing retry does not pile up bars. */
  #add(tone: Notice['tone'], text: string): void {
    this.#lastId += 1;
    const others = this.list.filter((notice) => notice.text !== text);
    this.list = [...others, { id: this.#lastId, tone, text }];
  }
}
