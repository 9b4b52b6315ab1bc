import { homedir } from 'node:os';
import { dirname } from 'node:path';
import * as vscode from 'vscode';
import type { OrderChoices } from '../conversations/compaction/settings';
import type { CompactingThreads } from '../conversations/threads/compacting-threads';
import type { WritingTools } from '../engine/block/strategy';
import type { PreparedRun } from '../engine/run/prepare/prepared-run';
import type { StrategyChoice } from '../engine/run/prepare/registry';
import type { RunProgress } from '../engine/run/prepare/run-input';
import { localizable } from '../engine/wording/localizable-text';
import { takesCompactions } from '../inside/doors';
import { strataInside } from '../inside/inside';
import { recallToolOf } from '../inside/setup/installed';
import { type ComparedStrategy, compareStrategy, timed } from '../inspection/compare';
import { Inspection, OperationRefused, type Unread } from '../inspection/inspection';
import type { SessionJournal } from '../inspection/journal-file';
import { relativesOf } from '../inspection/relatives';
import type { OpeningView } from '../protocol/view';
import { readMemoryFiles } from '../sessions/memory/memory-files';
import type { Session } from '../sessions/session';
import { toolsWithoutModel } from '../summarizers/without-model';
import { prepareAsSet } from './compaction/compaction-order';
import { CountedUpdates } from './counting/counted-updates';
import type { Counter } from './counting/counter';
import { countOutsideContext, countSessionWith, needsCountingThread } from './counting/session-counting';
import { translated } from './failures/failure-text';
import type { ModelAccess, Trigger } from './models/model-access';
import type { ModelSettings } from './models/model-settings';
import { follow, SessionNotOpened, type SessionPlaces } from './opening/followed';
import { type Opening, openingOf } from './opening/opening';
import { readSettings } from './settings';

/** Interval for checking the journal for changes by another window or the command line, in milliseconds. */
const journalPoll = 2000;

/** Strategies that re-assert the core. After one of them has run, Strata looks for new proposals in the replaced entries. */
const proposingStrategies: ReadonlySet<string> = new Set(['protected-core', 'hybrid']);

interface Busy {
  readonly label: string;
  readonly cancel: () => void;
  readonly progress: RunProgress | null;
}

interface Opened {
  readonly inspection: Inspection;
  readonly look: () => Promise<void>;
}

/** The open session: followed, and changed through its journal. There is at most one. */
export class Inspector implements vscode.Disposable {
  readonly #changed = new vscode.EventEmitter<void>();
  readonly #opened = new vscode.EventEmitter<void>();
  readonly #openingChanged = new vscode.EventEmitter<void>();
  readonly #busyChanged = new vscode.EventEmitter<void>();
  readonly #encoderMissing = new vscode.EventEmitter<void>();
  /** The session or its journal changed. */
  readonly onDidChange = this.#changed.event;
  /** Another session was opened, or the open one was closed. */
  readonly onDidOpen = this.#opened.event;
  /** Opening a session began or ended. */
  readonly onDidChangeOpening = this.#openingChanged.event;
  readonly onDidChangeBusy = this.#busyChanged.event;
  /** Fires when a run or comparison fails because the sentence encoder is not installed. */
  readonly onEncoderMissing = this.#encoderMissing.event;

  #current: (Opened & { readonly following: AbortController }) | null = null;
  #opening: Opening | null = null;
  #busy: Busy | null = null;
  /** Why automatic compaction stopped, until a run succeeds again; null while it works. */
  automationStopped: string | null = null;

  constructor(
    private readonly places: SessionPlaces,
    readonly models: ModelAccess,
    private readonly counter: Counter,
    private readonly threads: Pick<CompactingThreads, 'background'>,
    readonly log: vscode.LogOutputChannel,
  ) {}

  get inspection(): Inspection | null {
    return this.#current?.inspection ?? null;
  }

  /** The session being read. */
  get opening(): OpeningView | null {
    return this.#opening && { file: this.#opening.file, size: this.#opening.size };
  }

  get busy(): Busy | null {
    return this.#busy;
  }

  /**
   * Opens a session and closes the current one. If the file cannot be opened, the current session stays open. The newest
   * of several concurrent calls wins.
   */
  async open(file: string): Promise<void> {
    const opening = this.#begin(file);
    const { following } = opening;
    try {
      const opened = await this.#inspect(file, following.signal);
      const { inspection } = opened;
      inspection.memoryFiles = await readMemoryFiles(inspection.session, homedir());
      await lookForRelatives(inspection);
      if (following.signal.aborted) return;
      await lookInside(inspection);
      if (following.signal.aborted) return;
      this.#current?.following.abort(new OperationRefused(closedMessage()));
      this.#current = { ...opened, following };
      // The journal of a conversation in a store comes with its messages.
      if (!inspection.session.store) this.#watchJournal(inspection, following.signal);
      this.log.info(`Opened ${file}.`);
      this.#opened.fire();
    } catch (error) {
      following.abort(error);
      throw error;
    } finally {
      this.#end(opening);
    }
  }

  #begin(file: string): Opening {
    this.#opening?.following.abort(new OperationRefused(closedMessage()));
    const opening = openingOf(file, () => this.#openingChanged.fire());
    this.#opening = opening;
    this.#openingChanged.fire();
    return opening;
  }

  #end(opening: Opening): void {
    if (this.#opening !== opening) return;
    this.#opening = null;
    this.#openingChanged.fire();
  }

  async #inspect(file: string, signal: AbortSignal): Promise<Opened> {
    let updates: CountedUpdates | null = null;
    let newest: Session | null = null;
    let inspection: Inspection | null = null;
    const onFailure = (error: unknown) => this.log.error(`Following ${file} failed: ${error}`);
    const onChange = (session: Session) => {
      newest = session;
      updates?.take(session);
    };
    const onTrouble = (unread: Unread | null) => {
      if (unread !== null) this.log.warn(`Reading ${file} failed: ${unread.reason}`);
      if (!inspection) return;
      inspection.unread = unread;
      this.#changed.fire();
    };
    const { session, journal, look } = await follow(file, this.places, { signal, onChange, onTrouble, onFailure });
    inspection = await this.#countedOrEstimated(session, journal, signal);
    const { count } = this.counter;
    updates = new CountedUpdates(inspection, { count, signal, onFailure, onShown: () => this.#changed.fire() });
    // An update that arrived while the journal and the tokenizer were loaded.
    if (newest) updates.take(newest);
    return { inspection, look };
  }

  /** Shows a session that takes long to count with estimates first. */
  async #countedOrEstimated(session: Session, journal: SessionJournal, signal: AbortSignal): Promise<Inspection> {
    const { fallbackContextWindow } = readSettings();
    const background = this.threads.background();
    if (!needsCountingThread(session)) return await Inspection.of(session, journal, fallbackContextWindow, background);
    const onFailure = (error: unknown) => this.#logCounting(session, error);
    const countSession = countSessionWith(this.counter.count, signal, onFailure);
    const inspection = Inspection.estimated(session, journal, fallbackContextWindow, countSession, background);
    void this.#tellWhenCounted(inspection, signal);
    return inspection;
  }

  #logCounting({ file }: Session, error: unknown): void {
    this.log.error(`Counting the tokens of ${file} failed: ${error}`);
  }

  async #tellWhenCounted(inspection: Inspection, signal: AbortSignal): Promise<void> {
    try {
      await inspection.counted;
      this.#changed.fire();
      await countOutsideContext(inspection, this.counter.count, signal);
    } catch (error) {
      if (!signal.aborted) this.#logCounting(inspection.session, error);
    }
  }

  #watchJournal(inspection: Inspection, signal: AbortSignal): void {
    const { journal } = inspection;
    const look = () =>
      Promise.all([journal.refresh(), lookInside(inspection)]).then(
        (changed) => changed.includes(true) && this.#changed.fire(),
        (error) => this.log.error(`The journal ${journal.path} could not be read: ${error}`),
      );
    const timer = setInterval(look, journalPoll);
    signal.addEventListener('abort', () => clearInterval(timer));
  }

  /** Reads changes by other parts of Strata at once. */
  async refresh(): Promise<void> {
    await this.#current?.look();
    const changed = await this.inspection?.journal.refresh();
    if (changed) this.#changed.fire();
  }

  /** Prepares a compaction without applying it. Cancellable; refuses a second one at the same time. */
  async prepare(
    strategy: string,
    instructions: string,
    trigger: 'manual' | 'automatic' = 'manual',
    limits: Pick<OrderChoices, 'range' | 'targetTokens'> = {},
  ): Promise<PreparedRun> {
    const inspection = this.required();
    const label =
      trigger === 'manual' ? vscode.l10n.t('Preparing a compaction') : vscode.l10n.t('Compacting automatically');
    return await this.#whileBusy(label, async (signal, onProgress) => {
      const tools = await this.tools(trigger);
      const run = await prepareAsSet(inspection, {
        strategy,
        instructions,
        trigger,
        tools,
        signal,
        onProgress,
        ...limits,
      });
      if (run.records.length > 0) this.automationStopped = null;
      return run;
    });
  }

  /** The summarizer and models of a run. Refused if the person's choice cannot be used. */
  async tools(trigger: Trigger, settings?: ModelSettings): Promise<WritingTools> {
    const outcome = await this.models.toolsFor(trigger, settings);
    if (outcome.kind === 'refused') throw new OperationRefused(outcome.message);
    return outcome.tools;
  }

  /** A dry run of one strategy without a model. */
  async compare(choice: StrategyChoice): Promise<ComparedStrategy> {
    const inspection = this.required();
    const { parameters } = readSettings();
    return await this.#whileBusy(vscode.l10n.t('Comparing: {0}', translated(choice.title)), (signal) =>
      compareStrategy(inspection, choice, { tools: toolsWithoutModel, parameters, signal }),
    );
  }

  /** The same with the chosen model, as a preview prepares it. */
  async writeCompared(choice: StrategyChoice): Promise<ComparedStrategy> {
    return await timed(choice, () => this.prepare(choice.name, ''));
  }

  async apply(run: PreparedRun): Promise<void> {
    await this.change((inspection) => inspection.apply(run));
    if (proposingStrategies.has(run.strategy)) await this.change((inspection) => inspection.coreEditor.propose());
  }

  /** Looks for proposals for the core, with the model if one is chosen. Returns the number of new proposals. */
  async propose(): Promise<number> {
    const { model } = await this.tools('manual');
    if (!model) return await this.change((inspection) => inspection.coreEditor.propose());
    return await this.#whileBusy(vscode.l10n.t('Looking for goals, constraints and decisions'), (signal) =>
      this.change((inspection) => inspection.coreEditor.propose({ model, signal })),
    );
  }

  /** Asks a model. Cancellable; refused while another operation is in progress. */
  async ask<T>(
    label: string,
    work: (signal: AbortSignal, onProgress: (progress: RunProgress) => void) => Promise<T>,
  ): Promise<T> {
    return await this.#whileBusy(label, work, vscode.l10n.t('Asking was cancelled.'));
  }

  async #whileBusy<T>(
    label: string,
    work: (signal: AbortSignal, onProgress: (progress: RunProgress) => void) => Promise<T>,
    cancelled = vscode.l10n.t('The compaction was cancelled.'),
  ): Promise<T> {
    if (this.#busy)
      throw new OperationRefused(vscode.l10n.t('Wait until this is done, or cancel it: {0}.', this.#busy.label));
    const controller = new AbortController();
    const cancel = () => controller.abort(new OperationRefused(cancelled));
    const tell = (progress: RunProgress | null) => this.#setBusy({ label, cancel, progress });
    tell(null);
    try {
      return await work(controller.signal, tell);
    } catch (error) {
      // Compared by name, because the work may have been done in a thread.
      if (error instanceof Error && error.name === 'EncoderMissing') this.#encoderMissing.fire();
      throw error;
    } finally {
      this.#setBusy(null);
    }
  }

  #setBusy(busy: Busy | null): void {
    this.#busy = busy;
    this.#busyChanged.fire();
  }

  /** After a fork was written. */
  async lookForRelatives(): Promise<void> {
    if (this.#current) await lookForRelatives(this.#current.inspection);
    this.#changed.fire();
  }

  /** Changes the journal and fires `onDidChange`. */
  async change<T>(act: (inspection: Inspection) => Promise<T>): Promise<T> {
    const result = await act(this.required());
    this.#changed.fire();
    return result;
  }

  /** The open session. Throws `SessionNotOpened` without one. */
  required(): Inspection {
    if (!this.#current) throw new SessionNotOpened(localizable('No session is open.'));
    return this.#current.inspection;
  }

  dispose(): void {
    this.#opening?.following.abort(new OperationRefused(closedMessage()));
    this.#current?.following.abort(new OperationRefused(closedMessage()));
    this.#changed.dispose();
    this.#opened.dispose();
    this.#openingChanged.dispose();
    this.#busyChanged.dispose();
    this.#encoderMissing.dispose();
  }
}

/** Checks whether Strata is inside the agent, and whether the agent can ask it. Returns true if the first has changed. */
async function lookInside(inspection: Inspection): Promise<boolean> {
  const { agent, id } = inspection.session;
  inspection.recallTool = await recallToolOf(agent);
  const isInside = takesCompactions(agent) && (await strataInside(agent, id)) !== null;
  const hasChanged = isInside !== inspection.isStrataInside;
  inspection.isStrataInside = isInside;
  return hasChanged;
}

function closedMessage(): string {
  return vscode.l10n.t('The session was closed.');
}

async function lookForRelatives(inspection: Inspection): Promise<void> {
  const { session, journal } = inspection;
  inspection.relatives = await relativesOf(session, dirname(journal.path));
}
