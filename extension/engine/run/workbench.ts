import type { WritingTools } from '../block/strategy';
import type { VerificationMode } from '../compaction/verify';
import type { Context } from '../conversation/context';
import type { Conversation } from '../conversation/conversation';
import { orAborted } from '../conversation/long-work';
import { project } from '../conversation/projection';
import type { TokenLedger } from '../conversation/tokens';
import type { CoreState } from '../core/core';
import { excludedEntries } from '../journal/excluded';
import {
  appendRecords,
  type Journal,
  type JournalAccess,
  type JournalWriter,
  type RecordDraft,
  stateWithHeader,
} from '../journal/journal-access';
import { foldJournal, type JournalState } from '../journal/journal-state';
import { OperationRefused } from '../journal/operation-refused';
import { coreWithout, type OriginalGoal, originalGoalIn, overlayOf } from '../journal/overlay';
import type { CompactionRecord } from '../journal/records';
import { planUndo, planUndoOfBlock } from '../journal/undo';
import { joinedRuns, numberedFrom, preparedRecord, takenRun } from './automation/prepared-ahead';
import type { Background } from './background';
import { type BlockEdit, BlockEditor, edited } from './change/block-editor';
import { CoreEditor } from './change/core-editor';
import { editBlock, putBackInto, withRecord } from './change/edit';
import { prepareExclusion } from './change/exclude';
import { redo, undo } from './change/undo';
import type { PreparedRun } from './prepare/prepared-run';
import { findStrategy, type StrategyChoice } from './prepare/registry';
import { prepareRun, prepareRunOf } from './prepare/run';
import { recordsInContext } from './prepare/run-blocks';
import type { RunOrder } from './prepare/run-input';

/** Clocks and ids from outside. */
export interface Effects {
  /** ISO 8601. */
  readonly now: () => string;
  /** Monotonic clock in milliseconds. */
  readonly clock: () => number;
  readonly newId: () => string;
}

/** A conversation with its journal. All of it may change, so it is read again for each use. */
export interface WorkbenchSource {
  /** Has a new value after each change of the conversation. */
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

export interface CompactionOrder extends RunOrder {
  /** The name of a registered strategy, or a strategy that is not registered. */
  readonly strategy: string | StrategyChoice;
  /** Absent: `repair`. */
  readonly verification?: VerificationMode;
  /** Absent: `manual`. */
  readonly trigger?: 'manual' | 'automatic';
  /** Absent: no floor. */
  readonly floorTokens?: number;
}

/** The kind of change: messages were added, or the journal has new records (a compaction, an undo, the core). */
export type ContextChange = 'messages' | 'journal';

/** One conversation with its journal: its context, its runs and their undo. The editors change the core and blocks. */
export class Workbench {
  readonly coreEditor: CoreEditor;
  readonly blockEditor: BlockEditor;
  readonly #source: WorkbenchSource;
  readonly #effects: Effects;
  readonly #access: JournalAccess;
  readonly #writer: JournalWriter;
  readonly #listeners = new Set<(change: ContextChange) => void>();
  /** Runs that may be applied here. Two conversations can have equal entry ids, so a run does not identify its own. */
  readonly #prepared = new WeakSet<PreparedRun>();
  #known: { conversation: Conversation; state: JournalState; ledger: TokenLedger; value: Context } | null = null;

  constructor(source: WorkbenchSource, effects: Effects) {
    this.#source = source;
    this.#effects = effects;
    this.#access = { journal: source.journal, now: effects.now, newId: effects.newId };
    this.#writer = { now: effects.now, newId: effects.newId, append: (draft) => this.#append(draft) };
    this.coreEditor = new CoreEditor(this, this.#writer);
    this.blockEditor = new BlockEditor(source, this.#writer, effects.clock);
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

  /** The context without the runs to which these blocks belong, and without later runs on top of them. */
  contextWithout(seqs: readonly number[]): Context {
    const { conversation, state, ledger } = this;
    const undone = new Set(seqs.flatMap((seq) => undoneWith(state, seq)));
    const compactions = state.compactions.map((one) => (undone.has(one.record.seq) ? { ...one, active: false } : one));
    return project(conversation, overlayOf({ ...state, compactions }, conversation), ledger);
  }

  /** Reads external changes of the conversation and its journal; true if there were any. */
  async refresh(): Promise<boolean> {
    const hasMessages = (await this.#source.refresh?.()) ?? false;
    // Journals in a store or in an agent's state have only the records that were read with the conversation.
    const hasRecords = await this.#source.journal.refresh();
    if (hasMessages) this.#notify('messages');
    if (hasRecords) this.#notify('journal');
    return hasMessages || hasRecords;
  }

  /** The same for the conversation alone. */
  async refreshMessages(): Promise<boolean> {
    const hasMessages = (await this.#source.refresh?.()) ?? false;
    if (hasMessages) this.#notify('messages');
    return hasMessages;
  }

  /** Calls `listener` after each change made here or read by `refresh`. Returns a function that unsubscribes it. */
  subscribe(listener: (change: ContextChange) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  #notify(change: ContextChange): void {
    for (const listener of this.#listeners) listener(change);
  }

  /** Prepares a compaction without applying it, for a preview. */
  async prepare({ strategy, ...order }: CompactionOrder): Promise<PreparedRun> {
    await orAborted(this.#source.counted, order.signal);
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
    const around = this.#runSurroundings;
    return this.#own(withRecord(run, edited(edit(record, around)), around));
  }

  /** True if neither the conversation nor the journal has changed since this run was prepared. */
  #isCurrent({ before, records: [first] }: PreparedRun): boolean {
    return first !== undefined && this.state.changedAt < first.seq && isSameContext(before, this.context);
  }

  async #append(draft: RecordDraft): Promise<void> {
    const before = this.state;
    await appendRecords(this.#access, draft);
    if (this.state !== before) this.#notify('journal');
  }

  /**
   * Writes a run that was prepared here to the journal. `effect`: the agent continues with it. Throws
   * `OperationRefused` if the journal has changed since.
   */
  async apply(run: PreparedRun, effect?: CompactionRecord['effect']): Promise<void> {
    this.#refuseForeign(run);
    const [first] = run.records;
    if (!first) return;
    const records = effect === undefined ? run.records : run.records.map((record) => ({ ...record, effect }));
    await this.#append((lastSeq, { changedAt }) => {
      if (changedAt >= first.seq) {
        throw new OperationRefused('The journal has changed since this compaction was prepared. Prepare it again.');
      }
      return numberedFrom(lastSeq + 1, records);
    });
  }

  /**
   * Undoes the run with this number or with a block of this number, and later runs on top of it; without `seq`, the
   * newest run. Returns the seqs of the undone blocks.
   */
  undo(seq?: number): Promise<readonly number[]> {
    return undo(this.#writer, (state) => planUndo(state, seq));
  }

  /** Undoes a single block and those that cover it; the rest of its run stays. */
  undoBlock(seq: number): Promise<readonly number[]> {
    return undo(this.#writer, (state) => planUndoOfBlock(state, seq));
  }

  /** Reverts the newest undo. Returns the seqs of the compactions that are active again. */
  redo(): Promise<readonly number[]> {
    return redo(this.#writer);
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

const runDefaults = { trigger: 'manual', verification: 'repair', floorTokens: 0 } as const;

/** Compares keys and sizes, which is fast: a message with other text has another key or another size. */
function isSameContext(a: Context, b: Context): boolean {
  return (
    a.tokens.total === b.tokens.total &&
    a.messages.length === b.messages.length &&
    a.messages.every(({ key }, place) => key === b.messages[place]?.key)
  );
}
