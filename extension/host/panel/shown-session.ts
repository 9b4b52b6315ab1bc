import type { SessionChange } from '../../protocol/messages';
import type { SessionView } from '../../protocol/view';
import { inPieces, sessionChange } from '../view/session-change';

/** What one webview shows of the session. Its revisions are numbered for this webview alone, without a gap. */
export class ShownSession {
  #view: SessionView | null = null;
  #revision = 0;

  get view(): SessionView | null {
    return this.#view;
  }

  /** The webview is given this view in place of whatever it shows. */
  show(view: SessionView | null): SessionView | null {
    this.#revision += 1;
    this.#view = view && { ...view, revision: this.#revision };
    return this.#view;
  }

  /** What the webview has to be told so that it shows this view, in this order; nothing where it shows no session. */
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
