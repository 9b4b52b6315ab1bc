import type { Inspection } from '../../inspection/inspection';
import type { SessionView } from '../../protocol/view';
import { readSettings } from '../settings';
import { SessionViewBuilder } from '../view/session-view';

/** One builder for each session, and one view for each state of it, however many webviews show it. */
export class Views {
  readonly #builders = new WeakMap<Inspection, SessionViewBuilder>();
  #newest: { key: readonly unknown[]; view: SessionView } | null = null;

  viewOf(inspection: Inspection): SessionView {
    const { reserveTokens } = readSettings();
    const key = [inspection, inspection.session, inspection.journal.state, reserveTokens];
    if (!this.#newest?.key.every((item, index) => item === key[index])) {
      this.#newest = { key, view: this.builderOf(inspection).build(inspection, reserveTokens) };
    }
    return this.#newest.view;
  }

  builderOf(inspection: Inspection): SessionViewBuilder {
    const builder = this.#builders.get(inspection) ?? new SessionViewBuilder();
    this.#builders.set(inspection, builder);
    return builder;
  }
}
