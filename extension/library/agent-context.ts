import type { Context, ContextTokens } from '../engine/conversation/context';
import type { Entry } from '../engine/conversation/entry';
import { project } from '../engine/conversation/projection';
import type { CoreItem, CoreItemStatus, CoreState, PinKind } from '../engine/core/core';
import { type JournalAccess, stateWithHeader } from '../engine/journal/journal-access';
import type { JournaledCompaction } from '../engine/journal/journal-state';
import { OperationRefused } from '../engine/journal/operation-refused';
import { overlayOf } from '../engine/journal/overlay';
import { planUndo, type UndoPlan } from '../engine/journal/undo';
import { applyRun } from '../engine/run/apply';
import type { AutomationDecision } from '../engine/run/automation';
import {
  changeItem,
  editItem,
  type ItemProposal,
  type Pin,
  type ProposalOutcome,
  pinItem,
  proposeItem,
} from '../engine/run/core-items';
import { prepareExclusion } from '../engine/run/exclude';
import type { PreparedRun } from '../engine/run/prepared-run';
import { prepareRun, prepareRunOf } from '../engine/run/run';
import { redo, undo } from '../engine/run/undo';
import { AutomaticCompaction, appliedUnlessOvertaken } from './automatic-compaction';
import { entriesOf, type Message, type SentMessage, sentMessage } from './message';
import type { CompactOptions, FitOptions } from './options';
import type { AutomaticOutcome, ContextChange, FitOutcome } from './outcomes';
import type { Setting } from './setting';
import { withoutModel } from './tools';

/** The context of one agent: what was said, what stands for it, and what must not be lost. Made by `createContext`. */
export class AgentContext {
  readonly #setting: Setting;
  readonly #access: JournalAccess;
  readonly #listeners = new Set<(change: ContextChange) => void>();
  /** Runs that may be applied here. */
  readonly #prepared = new WeakSet<PreparedRun>();
  #known: { readonly conversation: unknown; readonly state: unknown; readonly value: Context } | null = null;
  readonly #automatic: AutomaticCompaction;

  /** @internal */
  constructor(setting: Setting) {
    this.#setting = setting;
    this.#access = { journal: setting.journal, ...setting.effects };
    this.#automatic = new AutomaticCompaction(setting, {
      context: () => this.current,
      prepare: (options) => this.#prepare(options, 'automatic'),
      apply: (run) => this.apply(run),
    });
  }

  /** How many tokens the model takes. */
  get window(): number {
    return this.#setting.window;
  }

  /** Everything that was appended, in order; compactions take nothing away from it. */
  get entries(): readonly Entry[] {
    return this.#setting.store.conversation.entries;
  }

  /** Adds messages as they come: what the person says, what the model answers, what its tools give back. */
  async append(...messages: readonly Message[]): Promise<void> {
    const { store, effects } = this.#setting;
    await store.append(messages.flatMap((message) => entriesOf(message, effects)));
    this.#tell('messages');
  }

  /** The context as the model is to be sent it now, oldest message first. */
  messages(): readonly SentMessage[] {
    return this.current.messages.map(sentMessage);
  }

  /** The same as the engine sees it, with its size by kind. */
  get current(): Context {
    const { store, journal, ledger } = this.#setting;
    const { conversation } = store;
    const { state } = journal;
    if (this.#known?.conversation === conversation && this.#known.state === state) return this.#known.value;
    const value = project(conversation, overlayOf(state, conversation), ledger);
    this.#known = { conversation, state, value };
    return value;
  }

  get tokens(): ContextTokens {
    return this.current.tokens;
  }

  /** Every compaction in the order they were made, undone ones included. */
  get compactions(): readonly JournaledCompaction[] {
    return this.#setting.journal.state.compactions;
  }

  /** Prepares a compaction without carrying it out: the context before and after, the blocks, what they lose and cost. */
  async preview(options: CompactOptions = {}): Promise<PreparedRun> {
    return await this.#prepare(options, 'manual');
  }

  /** Carries a preview out. Refused when somebody else has changed the journal since. */
  async apply(run: PreparedRun): Promise<void> {
    if (!this.#prepared.has(run)) throw new OperationRefused('This compaction was prepared for another context.');
    await this.#act(() => applyRun(this.#access, run));
  }

  /** Compacts now. A run without records had nothing to do; its notes say why. */
  async compact(options: CompactOptions = {}): Promise<PreparedRun> {
    const run = await this.preview(options);
    await this.apply(run);
    return run;
  }

  /** Whether `compactIfNeeded` would compact now. */
  get decision(): AutomationDecision {
    return this.#automatic.decision;
  }

  /** Compacts when the strategy's own trigger says so. To be called before each request; calls at once are one. */
  compactIfNeeded(options: Pick<CompactOptions, 'signal' | 'onProgress'> = {}): Promise<AutomaticOutcome> {
    return this.#automatic.compactIfNeeded(options);
  }

  /**
   * Compacts because the next request would not fit.
   * @internal
   */
  async compactToFit(options: FitOptions): Promise<FitOutcome> {
    const admission = this.#setting.breaker.admit(options.withoutModel ? 'manual' : 'automatic');
    if (admission.kind === 'refused') return { kind: 'stopped', message: admission.message };
    const run = await this.#prepare(options, 'automatic', true);
    return run.records.length === 0 ? { kind: 'came-to-nothing', run } : await appliedUnlessOvertaken(this, run);
  }

  /** What an undo would take back. */
  planUndo(compaction?: number): UndoPlan {
    return planUndo(this.#setting.journal.state, compaction);
  }

  /** Undoes one compaction by its seq and those that lie over it, or the newest run. Returns what was undone. */
  undo(compaction?: number): Promise<readonly number[]> {
    return this.#act(() => undo(this.#access, (state) => planUndo(state, compaction)));
  }

  /** Takes the newest undo back. Returns what stands again. */
  redo(): Promise<readonly number[]> {
    return this.#act(() => redo(this.#access));
  }

  /** What is in force of the protected core; null while that is nothing. */
  get core(): CoreState | null {
    const { journal, store } = this.#setting;
    return overlayOf(journal.state, store.conversation).core;
  }

  /** All items of the core, in whatever state. */
  get items(): readonly CoreItem[] {
    return this.#setting.journal.state.items;
  }

  /** Puts a goal, a constraint or a decision into every request from now on, verbatim. */
  pin(kind: PinKind, text: string, more: Partial<Pick<Pin, 'rationale' | 'entryId'>> = {}): Promise<CoreItem> {
    return this.#act(() => pinItem(this.#access, { rationale: null, entryId: null, ...more, kind, text }));
  }

  /** Adds an item that a person is to confirm: `changeItem(id, 'active')`. */
  propose(proposal: ItemProposal): Promise<ProposalOutcome> {
    return this.#act(() => proposeItem(this.#access, proposal));
  }

  /** Done, superseded and refused items leave the context. */
  changeItem(itemId: string, status: CoreItemStatus): Promise<void> {
    return this.#act(() => changeItem(this.#access, itemId, status));
  }

  /** Gives an item other words. */
  editItem(itemId: string, text: string, rationale: string | null = null): Promise<void> {
    return this.#act(() => editItem(this.#access, itemId, text, rationale));
  }

  /** Takes a message out of the context by its id: a reply together with its calls, or a whole turn. `undo` brings it back. */
  async exclude(messageId: string): Promise<void> {
    const { state: _state, ...input } = this.#runInput('manual');
    await this.#act(async () => {
      await applyRun(this.#access, await prepareExclusion(this.#access, this.current.messages, messageId, input));
    });
  }

  /** Takes in what others wrote to the journal and to the conversation; says whether there was anything. */
  async refresh(): Promise<boolean> {
    const { store, journal } = this.#setting;
    const hasMessages = await store.refresh();
    const hasRecords = await journal.refresh();
    if (hasMessages) this.#tell('messages');
    if (hasRecords) this.#tell('journal');
    return hasMessages || hasRecords;
  }

  /** Calls `listener` after each change. Returns what ends that. */
  subscribe(listener: (change: ContextChange) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  #tell(change: ContextChange): void {
    for (const listener of this.#listeners) listener(change);
  }

  async #act<T>(work: () => Promise<T>): Promise<T> {
    const { journal } = this.#setting;
    const before = journal.state;
    const result = await work();
    if (journal.state !== before) this.#tell('journal');
    return result;
  }

  async #prepare(
    options: CompactOptions & FitOptions,
    trigger: 'manual' | 'automatic',
    isDue = false,
  ): Promise<PreparedRun> {
    const { choice, parameters, verification, tools } = this.#setting;
    const input = {
      ...this.#runInput(trigger, isDue),
      ...(options.withoutModel ? { tools: withoutModel(tools) } : {}),
      isDue,
      parameters: { ...parameters, ...options.parameters },
      instructions: options.instructions ?? null,
      verification: options.verification ?? verification,
      signal: options.signal ?? new AbortController().signal,
      ...(options.onProgress ? { onProgress: options.onProgress } : {}),
    };
    const run = options.choice
      ? await prepareRunOf(options.choice, input)
      : await prepareRun({ ...input, strategy: options.strategy ?? choice.name });
    this.#prepared.add(run);
    return run;
  }

  #runInput(trigger: 'manual' | 'automatic', isDue = false) {
    const { store, journal, tools, window, ledger, effects, verification, automation } = this.#setting;
    return {
      conversation: store.conversation,
      state: stateWithHeader(journal),
      contextWindow: window,
      trigger,
      tools,
      verification,
      floorTokens: trigger === 'automatic' && !isDue ? automation.floorTokens : 0,
      ledger,
      now: effects.now,
      clock: effects.clock,
    };
  }
}
