import type { LanguageModel } from '../block/language-model';
import type { Parameters } from '../block/plan';
import type { WritingTools } from '../block/strategy';
import type { ContextRange } from '../compaction/range';
import type { VerificationMode } from '../compaction/verify';
import type { Context } from '../conversation/context';
import type { Conversation } from '../conversation/conversation';
import { project } from '../conversation/projection';
import type { TokenLedger } from '../conversation/tokens';
import { type CoreItem, type CoreItemStatus, type CoreState, originalGoalId, type PinKind } from '../core/core';
import { excludedEntries } from '../journal/excluded';
import {
  appendRecords,
  type Journal,
  type JournalAccess,
  type RecordDraft,
  stateWithHeader,
} from '../journal/journal-access';
import { foldJournal, type JournalState } from '../journal/journal-state';
import { OperationRefused } from '../journal/operation-refused';
import { coreWithout, type OriginalGoal, originalGoalIn, overlayOf } from '../journal/overlay';
import type { CompactionRecord } from '../journal/records';
import { planUndo, planUndoOfBlock, type UndoPlan } from '../journal/undo';
import { proposalsByStructure } from '../language/proposals';
import { proposalsFromModel } from '../prompts/core-proposals';
import { joinedRuns, preparedRecord, takenRun } from './automation/prepared-ahead';
import type { Background } from './background';
import { applyRun } from './change/apply';
import {
  type BlockEdit,
  blockInContext,
  earlierText,
  editDraft,
  edited,
  refuseOtherText,
  rewritten,
  writingDraft,
} from './change/block-text';
import {
  type AgentProposalOutcome,
  changeItem,
  decideOriginalGoal,
  editItem,
  type ItemProposal,
  orderItems,
  type Pin,
  type ProposalOutcome,
  pinItem,
  proposeByAgent,
  proposeFound,
  proposeItem,
} from './change/core-items';
import { type EditSurroundings, editBlock, putBackInto, withRecord } from './change/edit';
import { prepareExclusion } from './change/exclude';
import { type RewriteOrder, type RewriteOutcome, type Rewriting, rewriteBlock } from './change/rewrite';
import { redo, undo } from './change/undo';
import type { PreparedRun } from './prepare/prepared-run';
import { findStrategy, type StrategyChoice } from './prepare/registry';
import { prepareRun, prepareRunOf } from './prepare/run';
import { recordsInContext } from './prepare/run-blocks';
import type { RunProgress } from './prepare/run-input';

/** Clocks and ids from outside. */
export interface Effects {
  /** ISO 8601. */
  readonly now: () => string;
  /** Monotonic clock in milliseconds. */
  readonly clock: () => number;
  readonly newId: () => string;
}

/** A conversation with its journal. All of it may change, so it is read again at each use. */
export interface WorkbenchSource {
  /** Changes its value with each change of the conversation. */
  readonly conversation: Conversation;
  readonly journal: Journal;
  readonly ledger: TokenLedger;
  /** In tokens. */
  readonly contextWindow: number;
  /** Settles when the ledger counts instead of estimating. Absent: it always counts. */
  readonly counted?: Promise<void>;
  /** Counts and prepares in place of the workbench. Absent: the workbench does both. */
  readonly background?: Background | undefined;
  /** The tool by which the agent retrieves what a compaction leaves out. Absent: it cannot. */
  readonly recallTool?: string | undefined;
  /** Reads external changes of the conversation; true if there were any. Absent: the conversation's owner does so. */
  refresh?(): Promise<boolean>;
}

export interface CompactionOrder {
  /** The name of a registered strategy, or a strategy that is not registered. */
  readonly strategy: string | StrategyChoice;
  readonly instructions: string | null;
  readonly parameters: Readonly<Record<string, Parameters>>;
  readonly tools: WritingTools;
  readonly signal: AbortSignal;
  /** Absent: `repair`. */
  readonly verification?: VerificationMode;
  /** Absent: `manual`. */
  readonly trigger?: 'manual' | 'automatic';
  /** Ignores the strategy's own trigger, because the next request would not fit. */
  readonly isDue?: boolean;
  /** Target size of the whole context in tokens. Absent: from the strategy's own parameters. */
  readonly targetTokens?: number;
  /** Absent: no floor. */
  readonly floorTokens?: number;
  readonly onProgress?: (progress: RunProgress) => void;
  /** Limits the messages that the run may touch. Absent: all that the strategy may touch. */
  readonly range?: ContextRange;
}

/** What changed: messages were added, or the journal has new records (a compaction, an undo, the core). */
export type ContextChange = 'messages' | 'journal';

/** One conversation with its journal. All operations of Strata on a context are implemented here. */
export class Workbench {
  readonly #source: WorkbenchSource;
  readonly #effects: Effects;
  readonly #access: JournalAccess;
  readonly #listeners = new Set<(change: ContextChange) => void>();
  /** Runs that may be applied here. Two conversations can have equal entry ids, so a run does not identify its own. */
  readonly #prepared = new WeakSet<PreparedRun>();
  #known: { conversation: Conversation; state: JournalState; ledger: TokenLedger; value: Context } | null = null;

  constructor(source: WorkbenchSource, effects: Effects) {
    this.#source = source;
    this.#effects = effects;
    this.#access = { journal: source.journal, now: effects.now, newId: effects.newId };
  }

  get conversation(): Conversation {
    return this.#source.conversation;
  }

  /** The folded journal. */
  get state(): JournalState {
    return this.#source.journal.state;
  }

  /** Counts, or estimates while counting is under way. Records are written from counts only: see `counted`. */
  get ledger(): TokenLedger {
    return this.#source.ledger;
  }

  get contextWindow(): number {
    return this.#source.contextWindow;
  }

  /** Settles when every number is a count. Rejects if the conversation was closed before, or without a tokenizer. */
  get counted(): Promise<void> {
    return this.#source.counted ?? Promise.resolve();
  }

  /** The context that the model would be sent now. Computed again only after changes of conversation, journal or counts. */
  get context(): Context {
    const { conversation, state, ledger } = this;
    const known = this.#known;
    if (known?.conversation === conversation && known.state === state && known.ledger === ledger) return known.value;
    const value = project(conversation, overlayOf(state, conversation), ledger);
    this.#known = { conversation, state, ledger, value };
    return value;
  }

  /** The context as it would be without the runs that these blocks are of, and without later ones on top of them. */
  contextWithout(seqs: readonly number[]): Context {
    const { conversation, state, ledger } = this;
    const undone = new Set(seqs.flatMap((seq) => undoneWith(state, seq)));
    const compactions = state.compactions.map((one) => (undone.has(one.record.seq) ? { ...one, active: false } : one));
    return project(conversation, overlayOf({ ...state, compactions }, conversation), ledger);
  }

  /** Reads external changes of the conversation and its journal; true if there were any. */
  async refresh(): Promise<boolean> {
    const hasMessages = (await this.#source.refresh?.()) ?? false;
    const hasRecords = await this.#source.journal.refresh();
    if (hasMessages) this.#tell('messages');
    if (hasRecords) this.#tell('journal');
    return hasMessages || hasRecords;
  }

  /** The same for the conversation alone. */
  async refreshMessages(): Promise<boolean> {
    const hasMessages = (await this.#source.refresh?.()) ?? false;
    if (hasMessages) this.#tell('messages');
    return hasMessages;
  }

  /** Calls `listener` after each change made here or read by `refresh`. Returns a function that unsubscribes it. */
  subscribe(listener: (change: ContextChange) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  #tell(change: ContextChange): void {
    for (const listener of this.#listeners) listener(change);
  }

  async #act<T>(work: () => Promise<T>): Promise<T> {
    const before = this.state;
    const result = await work();
    if (this.state !== before) this.#tell('journal');
    return result;
  }

  /** Prepares a compaction without applying it, for a preview. */
  async prepare({ strategy, ...order }: CompactionOrder): Promise<PreparedRun> {
    await orAborted(this.counted, order.signal);
    const input = { ...runDefaults, ...order, ...this.#runSurroundings };
    if (typeof strategy !== 'string') return this.#own(await prepareRunOf(strategy, input));
    const named = { ...input, strategy };
    return this.#own((await this.#source.background?.prepare(named)) ?? (await prepareRun(named)));
  }

  /**
   * Writes a prepared run to the journal without effect, for the next compaction. Nothing is written if blocks have changed
   * since. `model`: the conversation's.
   */
  async storePrepared(run: PreparedRun, model: string | null): Promise<void> {
    this.#refuseForeign(run);
    await this.#append((lastSeq, { blocksChangedAt }) => {
      const isOvertaken = blocksChangedAt >= (run.records[0]?.seq ?? Number.POSITIVE_INFINITY);
      return isOvertaken ? [] : [preparedRecord(run, { seq: lastSeq + 1, time: this.#effects.now(), model })];
    });
  }

  /** The run that `storePrepared` wrote, as it would be applied now. Null if there is none, or if it no longer fits. */
  preparedFor(model: string | null, trigger: CompactionRecord['trigger']): PreparedRun | null {
    const run = takenRun(this.#runSurroundings, { model, trigger });
    return run === null ? null : this.#own(run);
  }

  /** The run with further blocks over the messages after its own. */
  async extended(run: PreparedRun, { strategy, ...order }: CompactionOrder): Promise<PreparedRun> {
    this.#refuseForeign(run);
    const state = foldJournal(run.records, this.#runSurroundings.state);
    const range = { from: firstAfter(run), upTo: null };
    const choice = typeof strategy === 'string' ? findStrategy(strategy) : strategy;
    if (!choice || range.from === null) return run;
    const more = await prepareRunOf(choice, { ...runDefaults, ...order, ...this.#runSurroundings, state, range });
    return this.#own(joinedRuns(run, more, this.#runSurroundings));
  }

  /** Counts new messages of the context in the background, so that reading the context takes no time. */
  async countAhead(signal: AbortSignal): Promise<void> {
    await this.#source.background?.count(this.conversation, this.ledger, signal);
  }

  /** Excludes a reply with its calls and results, or a whole turn, from the context, by the key of one of its messages. */
  async exclude(key: string, tools: WritingTools): Promise<void> {
    await this.counted;
    const { state: _state, ...surroundings } = this.#runSurroundings;
    const input = { ...runDefaults, ...surroundings, tools };
    await this.apply(this.#own(await prepareExclusion(this.#access, this.context.messages, key, input)));
  }

  #own(run: PreparedRun): PreparedRun {
    this.#prepared.add(run);
    return run;
  }

  #refuseForeign(run: PreparedRun): void {
    if (!this.#prepared.has(run)) {
      throw new OperationRefused('This compaction was prepared for another session. Prepare it again.');
    }
  }

  get #runSurroundings() {
    const { conversation, contextWindow, ledger } = this;
    const { now, clock } = this.#effects;
    const { journal, recallTool } = this.#source;
    const asking = recallTool === undefined ? {} : { recallTool };
    return { conversation, state: stateWithHeader(journal), contextWindow, ledger, now, clock, ...asking };
  }

  /** A prepared run with another text for the block at this index. Throws `OperationRefused` for an unsuitable text. */
  editPrepared(run: PreparedRun, block: number, body: string): PreparedRun {
    return this.#withEdit(run, block, (record, around) => editBlock(record, body, around));
  }

  /** A prepared run with lost artifacts put back into one of its blocks, by their texts. */
  putBackIntoPrepared(run: PreparedRun, block: number, texts: readonly string[]): PreparedRun {
    return this.#withEdit(run, block, (record, around) => putBackInto(record, texts, around));
  }

  #withEdit(run: PreparedRun, block: number, edit: BlockEdit): PreparedRun {
    this.#refuseForeign(run);
    const record = run.records[block];
    if (!record) throw new OperationRefused('This preview has no such block.');
    if (!recordsInContext(run.records).includes(record)) {
      throw new OperationRefused('A later block of this preview replaces this one, so its text cannot be changed.');
    }
    if (!this.#isCurrent(run)) {
      throw new OperationRefused('The session has changed since this preview was made. Preview it again.');
    }
    const around = this.#editSurroundings(stateWithHeader(this.#source.journal));
    return this.#own(withRecord(run, edited(edit(record, around)), around));
  }

  /** True if neither the conversation nor the journal has changed since this run was prepared. */
  #isCurrent({ before, records: [first] }: PreparedRun): boolean {
    return first !== undefined && this.state.changedAt < first.seq && isSameContext(before, this.context);
  }

  /** Replaces the text of an active block. Throws `OperationRefused` if its text is no longer `before`. */
  editBlock(seq: number, body: string, before?: string): Promise<void> {
    return this.#editBlockInContext(seq, (record, around) => {
      refuseOtherText(record, before);
      return editBlock(record, body, around);
    });
  }

  /** Puts lost artifacts back into an active block, verbatim. */
  putBack(seq: number, texts: readonly string[]): Promise<void> {
    return this.#editBlockInContext(seq, (record, around) => putBackInto(record, texts, around));
  }

  async #editBlockInContext(seq: number, edit: BlockEdit): Promise<void> {
    await this.counted;
    await this.#append(editDraft(seq, this.#effects.now(), edit, (state) => this.#editSurroundings(state)));
  }

  /** Has the text of an active block written again. Nothing changes: see `applyRewriting`. */
  async rewrite(seq: number, order: Omit<RewriteOrder, 'clock'>): Promise<RewriteOutcome> {
    await orAborted(this.counted, order.signal);
    const { record } = blockInContext(this.state, seq);
    return await rewriteBlock(record, this.#editSurroundings(this.state), { ...order, clock: this.#effects.clock });
  }

  /** Replaces the old text by the new one. Throws `OperationRefused` if the old one was changed since. */
  applyRewriting(rewriting: Rewriting): Promise<void> {
    return this.#append(writingDraft(rewriting.before.seq, this.#effects.now(), rewritten(rewriting)));
  }

  /** Puts the text back that an active block had before it was changed last. */
  restoreText(seq: number): Promise<void> {
    return this.#append(writingDraft(seq, this.#effects.now(), earlierText));
  }

  #append(draft: RecordDraft): Promise<void> {
    return this.#act(() => appendRecords(this.#access, draft));
  }

  #editSurroundings(state: JournalState): EditSurroundings {
    const { conversation, ledger } = this;
    const { recallTool } = this.#source;
    return { conversation, state, ledger, ...(recallTool === undefined ? {} : { recallTool }) };
  }

  /**
   * Writes a run that was prepared here to the journal. `effect`: the agent continues with it. Throws
   * `OperationRefused` if the journal has changed since.
   */
  async apply(run: PreparedRun, effect?: CompactionRecord['effect']): Promise<void> {
    this.#refuseForeign(run);
    const records = effect === undefined ? run.records : run.records.map((record) => ({ ...record, effect }));
    await this.#act(() => applyRun(this.#access, { records }));
  }

  /** Plans an undo of a run without carrying it out. */
  planUndo(seq?: number): UndoPlan {
    return planUndo(this.state, seq);
  }

  /**
   * Undoes the run with this number or with a block of this number, and later runs on top of it; without `seq`, the newest run. Returns the seqs of
   * the undone blocks.
   */
  undo(seq?: number): Promise<readonly number[]> {
    return this.#act(() => undo(this.#access, (state) => planUndo(state, seq)));
  }

  /** Plans to undo a single block of a run. */
  planUndoOfBlock(seq: number): UndoPlan {
    return planUndoOfBlock(this.state, seq);
  }

  /** Undoes a single block and those that cover it; the rest of its run stays. */
  undoBlock(seq: number): Promise<readonly number[]> {
    return this.#act(() => undo(this.#access, (state) => planUndoOfBlock(state, seq)));
  }

  /** Reverts the newest undo. Returns the seqs of the compactions that are active again. */
  redo(): Promise<readonly number[]> {
    return this.#act(() => redo(this.#access));
  }

  /** Ids of the entries that the user excluded. */
  get excluded(): ReadonlySet<string> {
    return excludedEntries(this.state, this.conversation);
  }

  /** The core for a handoff. It includes the original goal, because the new thread has nothing of this one. */
  get handedOver(): CoreState | null {
    const ids = this.conversation.agentContext.map((entry) => entry.id);
    return coreWithout(this.state, this.conversation, new Set(), ids);
  }

  /** The active items of the protected core; null if there are none. */
  get core(): CoreState | null {
    return overlayOf(this.state, this.conversation).core;
  }

  /** The person's first message with what was decided about it; null if the conversation lacks its beginning. */
  get originalGoal(): OriginalGoal | null {
    return originalGoalIn(this.state, this.conversation);
  }

  /**
   * Searches the conversation for candidates and adds them to the core as proposals: from its structure, or from
   * verbatim quotations by a model. Returns the number of new proposals.
   */
  async propose(asked?: { readonly model: LanguageModel; readonly signal: AbortSignal }): Promise<number> {
    const { excluded } = this;
    const entries = this.conversation.entries.filter(({ id }) => !excluded.has(id));
    const found = asked
      ? await proposalsFromModel(entries, this.core, asked.model, asked.signal)
      : proposalsByStructure(entries);
    return await this.#act(() => proposeFound(this.#access, found, asked?.model.model ?? 'structure'));
  }

  /** Adds a goal, a constraint or a decision to the protected core, verbatim. It is active, as the user asked for it. */
  pin(kind: PinKind, text: string, entryId: string | null, rationale: Pin['rationale'] = null): Promise<CoreItem> {
    return this.#act(() => pinItem(this.#access, { kind, text, rationale, entryId }));
  }

  /** Adds a proposal to the core, which the user confirms or refuses. Known items are not proposed again. */
  proposeItem(proposal: ItemProposal): Promise<ProposalOutcome> {
    return this.#act(() => proposeItem(this.#access, proposal));
  }

  /** The same for an agent, within limits: it may propose in a loop. */
  proposeByAgent(proposal: ItemProposal): Promise<AgentProposalOutcome> {
    return this.#act(() => proposeByAgent(this.#access, proposal));
  }

  /** Changes an item, or under `originalGoalId` the original goal. */
  changeItem(itemId: string, status: CoreItemStatus): Promise<void> {
    if (itemId !== originalGoalId || this.originalGoal === null) {
      return this.#act(() => changeItem(this.#access, itemId, status));
    }
    return this.#act(() => decideOriginalGoal(this.#access, status));
  }

  /** Rewords an item of the core; its place and its status stay. */
  editItem(itemId: string, text: string, rationale: string | null): Promise<void> {
    return this.#act(() => editItem(this.#access, itemId, text, rationale));
  }

  /** Puts items of one kind into this order; other items keep their places. */
  orderItems(itemIds: readonly string[]): Promise<void> {
    return this.#act(() => orderItems(this.#access, itemIds));
  }
}

function undoneWith(state: JournalState, seq: number): readonly number[] {
  const plan = planUndo(state, seq);
  return plan.kind === 'undoes' ? [...plan.asked, ...plan.alsoUndone] : [];
}

/** The first message after the blocks of a run; null if none follows. */
function firstAfter({ after, records }: PreparedRun): string | null {
  const made = new Set(records.map(({ seq }) => seq));
  const last = after.messages.findLastIndex(({ block, pruned }) => {
    return (block && made.has(block.seq)) || (pruned && made.has(pruned.seq));
  });
  return after.messages[last + 1]?.key ?? null;
}

/** Defaults of a run. */
const runDefaults = { trigger: 'manual', verification: 'repair', floorTokens: 0 } as const;

/** Compares keys and sizes, which is fast: a message with other text has another key or another size. */
function isSameContext(a: Context, b: Context): boolean {
  return (
    a.tokens.total === b.tokens.total &&
    a.messages.length === b.messages.length &&
    a.messages.every(({ key }, place) => key === b.messages[place]?.key)
  );
}

/** Rejects as soon as the signal aborts. */
function orAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort, { once: true });
    void work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}
