import type { Inspection } from '../../inspection/inspection';
import type { SessionView } from '../../protocol/view';
import { readSettings } from '../settings';
import type { ViewSettings } from '../view/notices';
import { SessionViewBuilder } from '../view/session-view';
import type { KnownForks } from '../view/writing';

/** One builder for each session, and one view for each state of it, however many webviews show it. */
export class Views {
  readonly #builders = new WeakMap<Inspection, SessionViewBuilder>();
  #newest: { key: readonly unknown[]; view: SessionView } | null = null;

  constructor(private readonly forks: KnownForks) {}

  viewOf(inspection: Inspection, automationStopped: string | null): SessionView {
    const settings: ViewSettings = { ...readSettings(), automationStopped };
    const isFork = this.forks.isFork(inspection.session.file);
    const key = [inspection, inspection.session, inspection.journal.state, JSON.stringify(settings), isFork];
    if (!this.#newest?.key.every((item, index) => item === key[index])) {
      this.#newest = { key, view: this.builderOf(inspection).build(inspection, settings, this.forks) };
    }
    return this.#newest.view;
  }

  builderOf(inspection: Inspection): SessionViewBuilder {
    const builder = this.#builders.get(inspection) ?? new SessionViewBuilder();
    this.#builders.set(inspection, builder);
    return builder;
  }
}
