import * as vscode from 'vscode';
import type { Watched } from '../../conversations/stores/stored-session';

/** Something that is on screen, or hidden by another view or tab. */
interface Hideable {
  readonly visible: boolean;
}

/** Tracks which webviews of the panel are on screen. */
export class Visibility implements Watched, vscode.Disposable {
  readonly #changed = new vscode.EventEmitter<void>();
  readonly #shown = new Set<Hideable>();

  get isVisible(): boolean {
    return [...this.#shown].some(({ visible }) => visible);
  }

  subscribe(listener: () => void): () => void {
    const subscription = this.#changed.event(listener);
    return () => subscription.dispose();
  }

  /** `onDidChange` fires when it is shown or hidden. Dispose the result to remove it. */
  add(hideable: Hideable, onDidChange: (listener: () => void) => vscode.Disposable): vscode.Disposable {
    this.#shown.add(hideable);
    const subscription = onDidChange(() => this.#changed.fire());
    this.#changed.fire();
    return new vscode.Disposable(() => {
      subscription.dispose();
      this.#shown.delete(hideable);
      this.#changed.fire();
    });
  }

  dispose(): void {
    this.#changed.dispose();
  }
}
