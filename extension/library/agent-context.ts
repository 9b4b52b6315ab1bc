import { AutomaticCompaction } from '../conversations/compaction/automatic-compaction';
import type { AutomaticOutcome } from '../conversations/compaction/outcomes';
import { orderFrom } from '../conversations/compaction/settings';
import { neverAborted } from '../conversations/never-aborted';
import type { ConversationStore } from '../conversations/shelves/recorded';
import type { Troubles } from '../conversations/troubles';
import type { Context, ContextTokens } from '../engine/conversation/context';
import type { Entry } from '../engine/conversation/entry';
import type { CoreItem, CoreItemStatus, CoreState, PinKind } from '../engine/core/core';
import type { Journal } from '../engine/journal/journal-access';
import type { JournaledCompaction } from '../engine/journal/journal-state';
import type { OriginalGoal } from '../engine/journal/overlay';
import { planUndo, type UndoPlan } from '../engine/journal/undo';
import type { AutomationDecision } from '../engine/run/automation/automation';
import type { ItemProposal, Pin, ProposalOutcome } from '../engine/run/change/core-editor';
import type { PreparedRun } from '../engine/run/prepare/prepared-run';
import { type ContextChange, Workbench } from '../engine/run/workbench';
import type { ContextIdentity } from './conversation-names';
import { entriesOf, type Message, type SentMessage, sentMessage } from './message';
import type { CompactOptions } from './options';
import type { Setting } from './setting';
import { withoutModel } from './tools';

/** Where one conversation is kept. */
export interface ContextStores {
  readonly conversation: ConversationStore;
  readonly journal: Journal;
}

/** The context of one agent: its messages, the blocks that replace some of them, and the protected core. Made by `createContext`. */
export class AgentContext {
  /** @internal */
  readonly workbench: Workbench;
  /** @internal */
  readonly automatic: AutomaticCompaction;
  readonly #setting: Setting;
  readonly #store: ConversationStore;
  readonly #listeners = new Set<(change: ContextChange) => void>();

  /** @internal */
  constructor(
    setting: Setting,
    { conversation, journal }: ContextStores,
    troubles: Troubles,
    /** The conversation that the context belongs to. */
    readonly identity: ContextIdentity,
  ) {
    const { ledger, effects, breaker, tools, threads } = setting;
    this.#setting = setting;
    this.#store = conversation;
    this.workbench = new Workbench(
      {
        ...{ journal, ledger, refresh: () => conversation.refresh() },
        ...(threads ? { background: threads.background() } : {}),
        get conversation() {
          return conversation.conversation;
        },
        get contextWindow() {
          return setting.window;
        },
      },
      effects,
    );
    this.automatic = new AutomaticCompaction({
      workbench: this.workbench,
      settings: () => setting,
      tools: async () => {
        const admission = breaker.admit('automatic');
        return admission.kind === 'refused'
          ? { kind: 'refused', message: String(admission.message) }
          : { kind: 'ready', tools };
      },
      withoutModel: withoutModel(tools),
      troubles,
      now: effects.now,
      onSchedule: (sentence) => setting.onSchedule(String(sentence)),
    });
    this.workbench.subscribe((change) => this.#tell(change));
  }

  /** Context window of the model in tokens. */
  get window(): number {
    return this.#setting.window;
  }

  /** Everything that was appended, in order. Compactions remove nothing from it. */
  get entries(): readonly Entry[] {
    return this.workbench.conversation.entries;
  }

  /** Adds messages as they arrive: from the person, the model and its tools. */
  async append(...messages: readonly Message[]): Promise<void> {
    await this.#store.append(messages.flatMap((message) => entriesOf(message, this.#setting.effects)));
    this.#tell('messages');
  }

  /** The messages to send to the model now, oldest first. */
  messages(): readonly SentMessage[] {
    return this.current.messages.map(sentMessage);
  }

  /** The same context as the engine has it, with sizes by kind. */
  get current(): Context {
    return this.workbench.context;
  }

  get tokens(): ContextTokens {
    return this.current.tokens;
  }

  /** Every compaction in the order they were made, undone ones included. */
  get compactions(): readonly JournaledCompaction[] {
    return this.workbench.state.compactions;
  }

  /** Prepares a compaction without carrying it out: the context before and after, the blocks, and what they lose and cost. */
  async preview(options: CompactOptions = {}): Promise<PreparedRun> {
    const { tools, parameters } = this.#setting;
    const order = { ...options, parameters: { ...parameters, ...options.parameters }, tools };
    return await this.workbench.prepare(
      orderFrom(this.#setting, { ...order, signal: options.signal ?? neverAborted() }),
    );
  }

  /** Applies a preview. Throws `OperationRefused` if the journal was changed since. */
  apply(run: PreparedRun): Promise<void> {
    return this.workbench.apply(run);
  }

  /** Compacts now. A run without records had nothing to do; its notes say why. */
  async compact(options: CompactOptions = {}): Promise<PreparedRun> {
    const run = await this.preview(options);
    await this.apply(run);
    return run;
  }

  /** Whether `compactIfNeeded` would compact now. */
  get decision(): AutomationDecision {
    return this.automatic.decision;
  }

  /** Compacts if the strategy's own trigger says so. Call it before each request. Concurrent calls share one run. */
  compactIfNeeded(options: Pick<CompactOptions, 'signal' | 'onProgress'> = {}): Promise<AutomaticOutcome> {
    return this.automatic.compactIfNeeded(options);
  }

  /** Plans an undo without carrying it out: see `undo`. */
  planUndo(compaction?: number): UndoPlan {
    return planUndo(this.workbench.state, compaction);
  }

  /**
   * Undoes a run by the seq of any of its blocks, with later runs on top of it; without a seq, the newest run. Returns
   * the seqs of the blocks that were undone. Does not undo pins: see `changeItem`. Throws `OperationRefused` if there
   * is nothing to undo.
   */
  undo(compaction?: number): Promise<readonly number[]> {
    return this.workbench.undo(compaction);
  }

  /** Reverts the newest undo. Returns the seqs of the compactions that are active again. */
  redo(): Promise<readonly number[]> {
    return this.workbench.redo();
  }

  /** The active items of the protected core; null if there are none. */
  get core(): CoreState | null {
    return this.workbench.core;
  }

  /** The state of the core's items, including those not in force. */
  get items(): readonly CoreItem[] {
    return this.workbench.state.items;
  }

  /** The first message of the user, and whether it is over: its `id` names it to `changeItem`. */
  get originalGoal(): OriginalGoal | null {
    return this.workbench.originalGoal;
  }

  /** Adds a goal, a constraint or a decision to every request from now on, verbatim. */
  pin(kind: PinKind, text: string, more: Partial<Pick<Pin, 'rationale' | 'entryId'>> = {}): Promise<CoreItem> {
    return this.workbench.coreEditor.pin(kind, text, more.entryId ?? null, more.rationale);
  }

  /** Adds an item that a person is to confirm: `changeItem(id, 'active')`. */
  propose(proposal: ItemProposal): Promise<ProposalOutcome> {
    return this.workbench.coreEditor.proposeItem(proposal);
  }

  /**
   * Looks for goals, rules and decisions in what was said and proposes them, without a model. Returns the number of new
   * proposals, which are in `items`.
   */
  findProposals(): Promise<number> {
    return this.workbench.coreEditor.propose();
  }

  /** Done, superseded and refused items leave the context. */
  changeItem(itemId: string, status: CoreItemStatus): Promise<void> {
    return this.workbench.coreEditor.change(itemId, status);
  }

  /** Gives an item other words. */
  editItem(itemId: string, text: string, rationale: string | null = null): Promise<void> {
    return this.workbench.coreEditor.edit(itemId, text, rationale);
  }

  /** Removes a message from the context by its id: a reply together with its calls, or a whole turn. `undo` brings it back. */
  exclude(messageId: string): Promise<void> {
    return this.workbench.exclude(messageId, this.#setting.tools);
  }

  /** Reads what others wrote to the journal and to the conversation. Returns whether there was anything. */
  refresh(): Promise<boolean> {
    return this.workbench.refresh();
  }

  /** Calls `listener` after each change. Returns a function that ends this. */
  subscribe(listener: (change: ContextChange) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  #tell(change: ContextChange): void {
    for (const listener of this.#listeners) listener(change);
  }
}
