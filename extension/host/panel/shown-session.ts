import type { SessionChange } from '../../protocol/messages';
import type { SessionView } from '../../protocol/view';
import { inPieces, sessionChange } from '../view/session-change';

/** The part of the session that one webview shows. Revisions are numbered per webview, without gaps. */
export class ShownSession {
  #view: SessionView | null = null;
  #revision = 0;

  get view(): SessionView | null {
    return this.#view;
  }

  /** Records that the webview receives this whole view. */
  show(view: SessionView | null): SessionView | null {
    this.#revision += 1;
    this.#view = view && { ...view, revision: this.#revision };
    return this.#view;
  }

  /** The changes to send, in order, so that the webview shows this view. None if it shows no session. */
  change(view: SessionView): readonly SessionChange[] {
    const before = this.#view;
    if (!before) return [];
    const whole = sessionChange(before, { ...view, revision: this.#revision + 1 });
    const pieces = inPieces(whole, before.rows);
    this.#revision += pieces.length;
    this.#view = { ...view, revision: this.#revision };
    return pieces;
  }
}
