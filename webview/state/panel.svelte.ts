import type { PinKind } from '../../extension/engine/core/core';
import type { BusyView, Notifications, PanelStart, SessionChange } from '../../extension/protocol/messages';
import type { NotificationHandlers } from '../../extension/protocol/rpc';
import type { OpeningView, SessionView } from '../../extension/protocol/view';
import type { Host } from '../host';
import { t } from '../l10n';
import { Actions } from './actions';
import { AgentSetups } from './agents/agent-setups.svelte';
import { Compactions } from './compactions/compactions.svelte';
import { CoreItemActions } from './core/core-actions.svelte';
import { CoreEditor } from './core/core-editor.svelte';
import { PinForm } from './core/pin-form.svelte';
import { Pinning } from './core/pinning.svelte';
import { Proposals } from './core/proposals.svelte';
import { Evaluation } from './evaluate/evaluation.svelte';
import { hostEvaluations } from './evaluate/source';
import { Rescue } from './header/rescue.svelte';
import { SessionNotices } from './header/session-notices.svelte';
import { SessionPicker } from './header/session-picker.svelte';
import { Notices } from './notices.svelte';
import { Comparison } from './preview/comparison.svelte';
import { CompactionPreview } from './preview/preview.svelte';
import { Previews } from './preview/previews.svelte';
import { WriterQuestion } from './preview/writer-question.svelte';
import { readSavedState, type SavedSession, type SavedState } from './saved-state';
import { SessionState } from './session.svelte';
import { messageOf } from './shared/loadable';
import type { DiffLayout } from './shared/text-diff';
import { PanelTabs } from './tabs.svelte';
import { RowActionHandlers } from './timeline/row-actions';
import { Timeline } from './timeline/timeline.svelte';
import { Travel } from './travel/travel.svelte';

type Show = Notifications['show']['what'];

/** The part of the dashboard that shows the results of a run. */
const evaluated = { quick: 'tasks', sessions: 'sessions' } as const;

/** State of the whole panel: what is open, and how the host's messages change it. */
export class Panel {
  readonly notices = new Notices();
  readonly actions: Actions;
  readonly session = new SessionState();
  readonly tabs = new PanelTabs(() => this.preview.isOpen);
  readonly timeline: Timeline;
  readonly rowActs: RowActionHandlers;
  readonly compactions: Compactions;
  readonly preview: CompactionPreview;
  readonly writerQuestion: WriterQuestion;
  readonly comparison: Comparison;
  readonly proposals: Proposals;
  readonly sessionNotices: SessionNotices;
  readonly rescue: Rescue;
  readonly previews: Previews;
  readonly pinForm: PinForm;
  readonly pinning: Pinning;
  readonly coreEditor: CoreEditor;
  readonly coreActs: CoreItemActions;
  readonly picker: SessionPicker;
  readonly evaluation: Evaluation;
  readonly agentSetups: AgentSetups;
  readonly travel: Travel;

  /** True until the first answer of the host; nothing is known about the session before it. */
  phase = $state<'starting' | 'started' | 'failed'>('starting');
  /** Why the panel could not start. */
  failure = $state<string | null>(null);
  placement = $state<PanelStart['placement']>('view');
  busy = $state.raw<BusyView | null>(null);
  /** The session that the host is reading; the current one stays on screen until it is loaded. */
  opening = $state.raw<OpeningView | null>(null);
  gaugeShown = $state(true);
  /** Whether the list of records outside the conversation is shown. */
  recordsShown = $state(false);
  /** Null until the user decides: wide panels show it, narrow ones do not. */
  legendChoice = $state<boolean | null>(null);
  diffLayout = $state<DiffLayout>('inline');
  /** The issues that were dismissed; later ones are shown again. */
  #hiddenIssues = $state(0);
  /** Saved state of the session, kept until the session is fully loaded. */
  #left = $state.raw<SavedSession | null>(null);
  /** The part that a command asked to show before the panel had started. */
  #wanted: Show | null = null;
  #restarting: Promise<void> | null = null;
  /** The newest change that arrived while the view was read; the view may or may not include it. */
  #missedRevision = 0;

  constructor(private readonly host: Host) {
    this.actions = new Actions(host.request, this.notices);
    this.timeline = new Timeline(this.session, host.request);
    this.rowActs = new RowActionHandlers(this, host.request);
    this.compactions = new Compactions(this.session, host.request);
    this.preview = new CompactionPreview(this.session, host.request);
    this.writerQuestion = new WriterQuestion(() => this.preview.summarizer, host.request);
    this.travel = new Travel(this.session, host.request, {
      history: () => this.compactions.history.view,
      future: () => (this.previews.current === null ? null : { tokens: this.previews.current.tokensAfter }),
    });
    this.comparison = new Comparison(this.session, host.request, () => this.preview.summarizer);
    this.previews = new Previews(this);
    this.proposals = new Proposals(host.request, this.notices);
    this.sessionNotices = new SessionNotices(this.session, () => this.tabs.isSlim);
    this.rescue = new Rescue(this.session);
    this.pinForm = new PinForm(host.request);
    this.pinning = new Pinning(this);
    this.coreEditor = new CoreEditor(host.request);
    this.coreActs = new CoreItemActions(host.request, this.notices);
    this.agentSetups = new AgentSetups(host.request);
    this.picker = new SessionPicker(host.request, this.notices, this.agentSetups.close);
    this.evaluation = new Evaluation(hostEvaluations(host.request, (what) => this.evaluation.show(evaluated[what])));
  }

  readonly view = $derived.by(() => this.session.view);
  /** Also true between two strategies of a comparison, when the host is briefly idle: nothing else may start then. */
  readonly isBusy = $derived.by(() => this.busy !== null || this.comparison.isWorking);
  /** Something is running, or another moment than now is shown. */
  readonly cannotUndo = $derived.by(() => this.isBusy || this.travel.past !== null);
  readonly legendShown = $derived(this.legendChoice ?? this.tabs.isWide);
  readonly issues = $derived.by(() => (this.view?.header.issues ?? []).slice(this.#hiddenIssues));

  readonly saved: SavedState = $derived.by(() => ({
    version: 1,
    tab: this.tabs.chosen,
    gaugeShown: this.gaugeShown,
    legendShown: this.legendChoice,
    diffLayout: this.diffLayout,
    driftShown: this.compactions.history.driftShown,
    session: this.#left ?? (this.view ? this.#savedSession(this.view) : null),
  }));

  readonly notifications: NotificationHandlers = {
    'session-opened': ({ view }) => this.#open(view),
    'session-changed': ({ change }) => this.#change(change),
    'session-closed': () => this.#close(),
    'sessions-changed': ({ sessions }) => {
      this.picker.sessions = sessions;
    },
    'busy-changed': ({ busy }) => {
      this.busy = busy;
    },
    'opening-changed': ({ opening }) => {
      this.opening = opening;
    },
    'summarizer-changed': ({ summarizer }) => {
      this.preview.summarizer = summarizer;
      this.preview.asking?.renew();
      this.comparison.readCosts();
      this.compactions.opened?.repair.asking.renew();
    },
    'evaluation-changed': ({ state }) => this.evaluation.update(state),
    'row-action': ({ action, key }) => this.rowActs.act(action, key),
    show: ({ what }) => {
      if (this.phase === 'starting') this.#wanted = what;
      else this.show(what);
    },
  };

  /** Requests the first view and restores what the panel showed before it was hidden. */
  async start(): Promise<void> {
    const saved = readSavedState(this.host.savedState());
    if (saved) this.#restorePanel(saved);
    try {
      this.#begin(await this.host.request('start', {}), saved?.session ?? null);
      this.phase = 'started';
      this.#catchUp();
      if (this.#wanted) this.show(this.#wanted);
    } catch (error) {
      this.phase = 'failed';
      this.failure = t('Strata could not start: {0}', messageOf(error));
    }
  }

  tryAgain = (): void => {
    this.phase = 'starting';
    this.failure = null;
    void this.start();
  };

  /** Nothing is saved before the start has finished, which would overwrite the state to be restored. */
  save(saved: SavedState): void {
    if (this.phase === 'started') this.host.saveState(saved);
  }

  show(what: Show): void {
    if (what === 'agents') return void this.agentSetups.open();
    this.agentSetups.close();
    if (what === 'evaluate' || what === 'evaluate-tasks' || what === 'evaluate-sessions') {
      this.tabs.select('evaluate');
      if (what !== 'evaluate') this.evaluation.show(what === 'evaluate-tasks' ? 'tasks' : 'sessions');
      return;
    }
    // Without a session, the panel only offers to open one.
    if (what === 'sessions' || !this.view) this.picker.open();
    else if (what === 'compact') this.previews.open();
    else if (what === 'compare') this.previews.openComparison();
    else if (what === 'compactions' || what === 'core') this.tabs.select(what);
    else this.pinning.open({ kind: what.slice('pin-'.length) as PinKind });
  }

  applyPreview = async (): Promise<void> => {
    if (await this.preview.apply()) this.tabs.select(this.tabs.isWide ? 'compactions' : 'timeline');
  };

  dismissIssues = (): void => {
    this.#hiddenIssues = this.view?.header.issues.length ?? 0;
  };

  showCompaction = (id: string): void => {
    this.tabs.select('compactions');
    void this.compactions.select(id);
  };

  #begin(start: PanelStart, saved: SavedSession | null): void {
    this.placement = start.placement;
    this.busy = start.busy;
    this.opening = start.opening;
    this.evaluation.update(start.evaluation);
    this.picker.sessions = start.sessions;
    this.preview.configure(start.strategies, start.defaultStrategy);
    this.preview.summarizer = start.summarizer;
    if (start.view) this.session.open(start.view);
    else this.session.close();
    this.#left = saved;
    if (start.view) this.#returnTo(start.view);
  }

  #open(view: SessionView): void {
    this.#missedRevision = 0;
    const isSame = this.view?.header.file === view.header.file;
    this.session.open(view);
    if (!isSame) this.#forgetSession();
    // A newly opened session is shown in the timeline. A session restored after a reload keeps the tab.
    if (!isSame && this.#left === null && this.tabs.shown === 'evaluate') this.tabs.select('timeline');
    this.#returnTo(view);
  }

  /** Restores the saved state of the session once all rows are loaded. */
  #returnTo({ header, earlierRowsFollow }: SessionView): void {
    const left = this.#left;
    const isOther = left?.file !== header.file;
    if (!isOther && earlierRowsFollow) return;
    this.#left = null;
    if (left && !isOther) this.#restoreSession(left);
  }

  #close(): void {
    this.session.close();
    this.#forgetSession();
  }

  #change(change: SessionChange): void {
    if (this.session.apply(change) === 'out-of-step') {
      this.#missedRevision = change.revision;
      this.#catchUp();
      return;
    }
    if (change.earlierRowsFollow === false && this.view) this.#returnTo(this.view);
    this.timeline.refresh(change);
    this.sessionNotices.refresh(change.notices);
    this.compactions.refresh(change);
  }

  /** Reads the whole view again after a missed change. A view that is already requested may include it. */
  #catchUp(): void {
    if (this.phase !== 'started' || this.#restarting || !this.view) return;
    if (this.#missedRevision > this.view.revision) this.#restarting = this.#restart();
  }

  async #restart(): Promise<void> {
    this.#missedRevision = 0;
    await this.notices.watch(this.host.request('start', {}).then((start) => this.#begin(start, this.saved.session)));
    this.#restarting = null;
    this.#catchUp();
  }

  #forgetSession(): void {
    this.timeline.reset();
    this.compactions.reset();
    this.preview.close();
    this.comparison.reset();
    this.travel.reset();
    this.sessionNotices.reset();
    this.rescue.reset();
    this.pinForm.close();
    this.coreEditor.close();
    this.coreActs.reset();
    this.proposals.reset();
    this.#hiddenIssues = 0;
  }

  #savedSession(view: SessionView): SavedSession {
    return {
      file: view.header.file,
      timeline: this.timeline.saved,
      compactionId: this.compactions.selectedId,
      hiddenIssues: this.#hiddenIssues,
      instructions: this.preview.instructions,
      pin: this.pinForm.isOpen ? this.pinForm.draft : null,
    };
  }

  #restorePanel(saved: SavedState): void {
    this.tabs.select(saved.tab);
    this.gaugeShown = saved.gaugeShown;
    this.legendChoice = saved.legendShown;
    this.diffLayout = saved.diffLayout;
    this.compactions.history.driftShown = saved.driftShown ?? true;
  }

  #restoreSession(saved: SavedSession): void {
    this.#hiddenIssues = saved.hiddenIssues;
    this.preview.instructions = saved.instructions;
    if (saved.pin) this.pinForm.open(saved.pin);
    if (saved.compactionId !== null) void this.compactions.select(saved.compactionId);
    void this.timeline.restore(saved.timeline);
  }
}
