import { messageOf } from './loadable';

export interface Notice {
  readonly id: number;
  /** An error stays until it is dismissed; news goes by itself. */
  readonly tone: 'error' | 'news';
  readonly text: string;
}

/** The message bars on top of the panel. What a request could not do ends up here, never nowhere. */
export class Notices {
  list = $state.raw<readonly Notice[]>([]);
  #lastId = 0;

  /** For requests that answer nothing: their failure is all there is to show. True when the work was done. */
  watch = async (work: Promise<unknown>): Promise<boolean> => {
    try {
      await work;
      return true;
    } catch (error) {
      this.#add('error', messageOf(error));
      return false;
    }
  };

  fail(text: string): void {
    this.#add('error', text);
  }

  tell(text: string): void {
    this.#add('news', text);
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
