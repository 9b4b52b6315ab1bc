import type * as vscode from 'vscode';
import { type Available, type Offer, offersOf } from './offers';

interface ModelListSource {
  /** The models of VS Code. Asks every provider, Strata's own included, so it is never awaited while one of them is asked. */
  chats(): PromiseLike<readonly vscode.LanguageModelChat[]>;
  settings(): Omit<Available, 'chats'>;
  /** Called when the list has changed. */
  changed(): void;
  failed(error: unknown): void;
}

/** The models that Strata offers now. Cached, because VS Code asks for them while it waits for all lists. */
export class ModelList {
  #chats: readonly vscode.LanguageModelChat[] | null = null;
  #offers: readonly Offer[] = [];
  #refreshing: Promise<void> | null = null;
  #isOutdated = false;

  constructor(private readonly source: ModelListSource) {
    this.#offers = this.#now();
  }

  get offers(): readonly Offer[] {
    return this.#offers;
  }

  find(id: string): Offer | null {
    return this.#offers.find(({ information }) => information.id === id) ?? null;
  }

  /** Queries VS Code. A call during a query causes one more query after it. */
  refresh(): Promise<void> {
    this.#isOutdated = true;
    this.#refreshing ??= this.#refreshAll().finally(() => {
      this.#refreshing = null;
    });
    return this.#refreshing;
  }

  async #refreshAll(): Promise<void> {
    while (this.#isOutdated) {
      this.#isOutdated = false;
      try {
        this.#chats = await this.source.chats();
      } catch (error) {
        this.source.failed(error);
      }
      this.update();
    }
  }

  /** The settings have changed. Models are distinguished by what VS Code shows of them. */
  update(): void {
    const before = this.#offers;
    this.#offers = this.#now();
    if (shown(before) !== shown(this.#offers)) this.source.changed();
  }

  #now(): Offer[] {
    return offersOf({ ...this.source.settings(), chats: this.#chats });
  }
}

function shown(offers: readonly Offer[]): string {
  return JSON.stringify(offers.map(({ information }) => information));
}
