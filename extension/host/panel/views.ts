import { setImmediate as othersHadTheirTurn } from 'node:timers/promises';
import { millisecondsOf } from '../../engine/conversation/milliseconds-of';
import { sameItems } from '../../engine/conversation/same-items';
import type { TokenLedger } from '../../engine/conversation/tokens';
import type { Moment } from '../../engine/history/moments';
import type { Inspection } from '../../inspection/inspection';
import type { PastView, SessionView } from '../../protocol/view';
import type { ViewSettings } from '../view/notices';
import { SessionViewBuilder } from '../view/session-view';
import type { KnownForks } from '../view/writing';
import type { Past } from './travel';

/** Number of messages whose rows are built before yielding: some milliseconds of work. */
const sliceSize = 1000;
/** Building the rows of more messages at once would cause a noticeable delay. */
const maxImmediateMessages = 4 * sliceSize;
/** Number of newest messages in a first view: more than any screen shows. */
const initialMessages = 400;

/** Builds views. All webviews share one builder per session and one view per state. */
export class Views {
  readonly #builders = new WeakMap<Inspection, SessionViewBuilder>();
  /** One cache for all moments of a session, because most of their rows are the same. */
  readonly #pastBuilders = new WeakMap<Inspection, SessionViewBuilder>();
  /** Number of messages that had rows after the last build, by ledger. */
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
    const key = [
      inspection,
      session,
      journal.state,
      ledger,
      JSON.stringify(settings),
      isFork,
      inspection.isStrataInside,
      inspection.ownCompaction,
      inspection.memoryFiles,
      inspection.relatives,
      inspection.rescue,
      inspection.unread,
    ];
    if (!this.#newest || !sameItems(this.#newest.key, key)) {
      this.#newest = { key, view: this.builderOf(inspection).build(inspection, settings, this.forks) };
      this.#made.set(ledger, inspection.context.messages.length);
    }
    return this.#newest.view;
  }

  /** The session with the gauges, rows and core of a moment. The cost depends on the rows that differ from the previously shown moment. */
  viewAt(inspection: Inspection, { moment, inspection: past }: Past, automationStopped: string | null): SessionView {
    const now = this.viewOf(inspection, automationStopped);
    const builder = this.#pastBuilders.get(inspection) ?? new SessionViewBuilder();
    this.#pastBuilders.set(inspection, builder);
    this.#builders.set(past, builder);
    const settings: ViewSettings = { ...this.readSettings(), automationStopped };
    return viewAt(now, builder.build(past, settings, this.forks), pastView(inspection, moment));
  }

  /** A view with the newest rows only, to show until all rows are built. */
  newestOf(inspection: Inspection, automationStopped: string | null): SessionView {
    const settings: ViewSettings = { ...this.readSettings(), automationStopped };
    return this.builderOf(inspection).buildNewest(inspection, settings, this.forks, initialMessages);
  }

  /** Whether `viewOf` would block noticeably unless `makeRows` is called first. */
  isLongToMake({ context, ledger }: Inspection): boolean {
    return context.messages.length - (this.#made.get(ledger) ?? 0) > maxImmediateMessages;
  }

  /** Builds the rows of a long session in slices. */
  async makeRows(inspection: Inspection): Promise<void> {
    const { context, ledger } = inspection;
    for (const _made of this.builderOf(inspection).makeRows(inspection, sliceSize)) await othersHadTheirTurn();
    this.#made.set(ledger, context.messages.length);
  }

  builderOf(inspection: Inspection): SessionViewBuilder {
    const builder = this.#builders.get(inspection) ?? new SessionViewBuilder();
    this.#builders.set(inspection, builder);
    return builder;
  }
}

/** The present view with the gauges, rows and core of another moment. Nothing in it can be undone or redone. */
function viewAt(now: SessionView, then: SessionView, past: PastView): SessionView {
  const { gauge, system, inAgent, rows, core } = then;
  return {
    ...now,
    gauge,
    system,
    inAgent,
    rows,
    core,
    past,
    ageLineKey: null,
    undo: null,
    redo: null,
    notices: [],
    rescue: null,
  };
}

function pastView({ moments }: Inspection, moment: Moment): PastView {
  const { branch, list } = moments;
  const place = branch.entries[moment.step];
  return {
    moment: list.indexOf(moment),
    of: list.length,
    at: place?.at ?? 0,
    turn: place?.turn ?? 0,
    time: millisecondsOf(place?.entry.timestamp),
    after: moment.after,
  };
}
