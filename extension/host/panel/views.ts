import { setImmediate as othersHadTheirTurn } from 'node:timers/promises';
import type { TokenLedger } from '../../engine/conversation/tokens';
import type { Inspection } from '../../inspection/inspection';
import type { SessionView } from '../../protocol/view';
import type { ViewSettings } from '../view/notices';
import { SessionViewBuilder } from '../view/session-view';
import type { KnownForks } from '../view/writing';

/** Messages whose rows are made at once: some milliseconds of work. */
const slice = 1000;
/** More messages without rows than this, and making them would be felt. */
const madeAtOnce = 4 * slice;
/** More than any screen shows. */
const newestShown = 400;

/** One builder for each session, and one view for each state of it, however many webviews show it. */
export class Views {
  readonly #builders = new WeakMap<Inspection, SessionViewBuilder>();
  /** How many messages had rows when rows were made last, by the ledger that the messages were made with. */
  readonly #made = new WeakMap<TokenLedger, number>();
  #newest: { key: readonly unknown[]; view: SessionView } | null = null;

  constructor(
    private readonly forks: KnownForks,
    private readonly readSettings: () => Omit<ViewSettings, 'automationStopped'>,
  ) {}

  viewOf(inspection: Inspection, automationStopped: string | null): SessionView {
    const settings: ViewSettings = { ...this.readSettings(), automationStopped };
    const isFork = this.forks.isFork(inspection.session.file);
    const { session, journal, ledger } = inspection;
    const key = [inspection, session, journal.state, ledger, JSON.stringify(settings), isFork];
    if (!this.#newest?.key.every((item, index) => item === key[index])) {
      this.#newest = { key, view: this.builderOf(inspection).build(inspection, settings, this.forks) };
      this.#made.set(ledger, inspection.context.messages.length);
    }
    return this.#newest.view;
  }

  /** What shows until the rows of a long session are made. */
  newestOf(inspection: Inspection, automationStopped: string | null): SessionView {
    const settings: ViewSettings = { ...this.readSettings(), automationStopped };
    return this.builderOf(inspection).buildNewest(inspection, settings, this.forks, newestShown);
  }

  /** Whether `viewOf` would keep everything else waiting, unless rows are made before. */
  isLongToMake({ context, ledger }: Inspection): boolean {
    return context.messages.length - (this.#made.get(ledger) ?? 0) > madeAtOnce;
  }

  /** Makes the rows of a long session while everything else goes on. */
  async makeRows(inspection: Inspection): Promise<void> {
    const { context, ledger } = inspection;
    for (const _made of this.builderOf(inspection).makeRows(inspection, slice)) await othersHadTheirTurn();
    this.#made.set(ledger, context.messages.length);
  }

  builderOf(inspection: Inspection): SessionViewBuilder {
    const builder = this.#builders.get(inspection) ?? new SessionViewBuilder();
    this.#builders.set(inspection, builder);
    return builder;
  }
}
