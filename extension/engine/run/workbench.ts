import type { LanguageModel } from '../block/language-model';
import type { Parameters } from '../block/plan';
import type { WritingTools } from '../block/strategy';
import type { ContextRange } from '../compaction/range';
import type { VerificationMode } from '../compaction/verify';
import type { Context } from '../conversation/context';
import type { Conversation } from '../conversation/conversation';
import { project } from '../conversation/projection';
import type { TokenLedger } from '../conversation/tokens';
import type { CoreItem, CoreItemStatus, CoreState, PinKind } from '../core/core';
import { excludedEntries } from '../journal/excluded';
import type { CompactionRecord, JournalRecord } from '../journal/journal';
import { appendRecords, type Journal, type JournalAccess, stateWithHeader } from '../journal/journal-access';
import type { JournalState } from '../journal/journal-state';
import { OperationRefused } from '../journal/operation-refused';
import { coreWithout, overlayOf } from '../journal/overlay';
import { coveringCompaction, planUndo, planUndoOfRun, type UndoPlan } from '../journal/undo';
import { newProposals, proposalsFromSentences } from '../language/proposals';
import { proposalsFromModel } from '../prompts/model-proposals';
import { applyRun } from './apply';
import type { Background } from './background';
import {
  changeItem,
  editItem,
  type ItemProposal,
  orderItems,
  type Pin,
  type ProposalOutcome,
  pinItem,
  proposeItem,
} from './core-items';
import {
  type EditOutcome,
  type EditSurroundings,
  editableText,
  editBlock,
  editRefusals,
  putBackInto,
  withRecord,
} from './edit';
import { prepareExclusion } from './exclude';
import type { PreparedRun } from './prepared-run';
import type { StrategyChoice } from './registry';
import { prepareRun, prepareRunOf, type RunProgress } from './run';
import { standingIn } from './run-loss';
import { redo, undo } from './undo';

/** More than a person reads at once; asking again brings the next ones. */
const mostProposals = 20;

/** What comes from the world. */
export interface Effects {
  /** ISO 8601. */
  readonly now: () => string;
  /** Milliseconds that never run backwards. */
  readonly clock: () => number;
  readonly newId: () => string;
}

/** A conversation with its journal, read anew at each use: all of it may have changed since. */
export interface WorkbenchSource {
  /** Another value after each change. */
  readonly conversation: Conversation;
  readonly journal: Journal;
  readonly ledger: TokenLedger;
  /** In tokens. */
  readonly contextWindow: number;
  /** Settles when the ledger counts instead of estimating. Absent: it counts. */
  readonly counted?: Promise<void>;
  /** Counts and prepares in place of the workbench. Absent: all of it is done here. */
  readonly background?: Background | undefined;
  /** Takes in what others added to the conversation; says whether there was anything. Absent: whoever owns it does so. */
  refresh?(): Promise<boolean>;
}

export interface CompactionOrder {
  /** Its name, or one that is in no list. */
  readonly strategy: string | StrategyChoice;
  readonly instructions: string | null;
  readonly parameters: Readonly<Record<string, Parameters>>;
  readonly tools: WritingTools;
  readonly signal: AbortSignal;
  /** Absent: repair. */
  readonly verification?: VerificationMode;
  /** Absent: a person asked. */
  readonly trigger?: 'manual' | 'automatic';
  /** It has to be now: the next request would not fit. */
  readonly isDue?: boolean;
  /** Where the run is to end, in tokens of the whole context. Absent: where the strategy's own parameters say. */
  readonly targetTokens?: number;
  /** Absent: no floor. */
  readonly floorTokens?: number;
  readonly onProgress?: (progress: RunProgress) => void;
  /** Absent: everything that the strategy may touch. */
  readonly range?: ContextRange;
}

/** What changed: messages were added, or the journal went on (a compaction, an undo, the core). */
export type ContextChange = 'messages' | 'journal';

/** One conversation with its journal. Everything that Strata does to a context is done here. */
export class Workbench {
  readonly #source: WorkbenchSource;
  readonly #effects: Effects;
  readonly #access: JournalAccess;
  readonly #listeners = new Set<(change: ContextChange) => void>();
  /** Runs that may be applied here. Ids of entries can be alike in two conversations, so a run does not tell by itself. */
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

  /** The fold of the journal. */
  get state(): JournalState {
    return this.#source.journal.state;
  }

  /** Of counts, or of estimates while it is counted. What is written down comes from counts: see `counted`. */
  get ledger(): TokenLedger {
    return this.#source.ledger;
  }

  get contextWindow(): number {
    return this.#source.contextWindow;
  }

  /** Settles when every figure is a count. Rejected when the conversation was closed before, or there is no tokenizer. */
  get counted(): Promise<void> {
    return this.#source.counted ?? Promise.resolve();
  }

  /** What the model would be sent now. Computed anew only when the conversation, the journal or the counts have changed. */
  get context(): Context {
    const { conversation, state, ledger } = this;
    const known = this.#known;
    if (known?.conversation === conversation && known.state === state && known.ledger === ledger) return known.value;
    const value = project(conversation, overlayOf(state, conversation), ledger);
    this.#known = { conversation, state, ledger, value };
    return value;
  }

  /** Takes in what others wrote to the conversation and to its journal; says whether there was anything. */
  async refresh(): Promise<boolean> {
    const hasMessages = (await this.#source.refresh?.()) ?? false;
    const hasRecords = await this.#source.journal.refresh();
    if (hasMessages) this.#tell('messages');
    if (hasRecords) this.#tell('journal');
    return hasMessages || hasRecords;
  }

  /** Calls `listener` after each change that is made here, or taken in by `refresh`. Returns what ends that. */
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

  /** Prepares a compaction without carrying it out: this is the preview. */
  async prepare({ strategy, ...order }: CompactionOrder): Promise<PreparedRun> {
    await orAborted(this.counted, order.signal);
    const input = { ...runDefaults, ...order, ...this.#runSurroundings };
    if (typeof strategy !== 'string') return this.#own(await prepareRunOf(strategy, input));
    const named = { ...input, strategy };
    return this.#own((await this.#source.background?.prepare(named)) ?? (await prepareRun(named)));
  }

  /** Counts in the background what the context has anew, so that asking for it takes no time. */
  async countAhead(signal: AbortSignal): Promise<void> {
    await this.#source.background?.count(this.conversation, this.ledger, signal);
  }

  /** Takes single messages out of the context, by the key of one of them: a reply with its calls, or a whole turn. */
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
    return { conversation, state: stateWithHeader(this.#source.journal), contextWindow, ledger, now, clock };
  }

  /** A prepared run with another text for one of its blocks, by its place in the run. Refused where it would not do. */
  editPrepared(run: PreparedRun, block: number, body: string): PreparedRun {
    return this.#withEdit(run, block, (record, around) => editBlock(record, body, around));
  }

  /** A prepared run with dropped artifacts put back into one of its blocks, by their texts. */
  putBackIntoPrepared(run: PreparedRun, block: number, texts: readonly string[]): PreparedRun {
    return this.#withEdit(run, block, (record, around) => putBackInto(record, texts, around));
  }

  #withEdit(run: PreparedRun, block: number, edit: BlockEdit): PreparedRun {
    this.#refuseForeign(run);
    const record = run.records[block];
    if (!record) throw new OperationRefused('This preview has no such block.');
    if (!standingIn(run.records).includes(record)) {
      throw new OperationRefused('A later block of this preview replaces this one, so its text cannot be changed.');
    }
    if (!this.#isCurrent(run)) {
      throw new OperationRefused('The session has changed since this preview was made. Preview it again.');
    }
    const around = this.#editSurroundings(stateWithHeader(this.#source.journal));
    return this.#own(withRecord(run, edited(edit(record, around)), around));
  }

  /** Nothing was added to the conversation or to the journal since this run was prepared. */
  #isCurrent({ before, records: [first] }: PreparedRun): boolean {
    return first?.seq === stateWithHeader(this.#source.journal).lastSeq + 1 && isSameContext(before, this.context);
  }

  /** Gives a block that stands another text. Refused when its text is not `before`, which the person began with. */
  editBlock(seq: number, body: string, before?: string): Promise<void> {
    return this.#editStanding(seq, (record, around) => {
      if (before !== undefined && editableText(record) !== before) {
        throw new OperationRefused(
          'The text of this block was changed elsewhere. Copy your text, cancel, and edit the new text.',
        );
      }
      return editBlock(record, body, around);
    });
  }

  /** Puts dropped artifacts back, verbatim, into a block that stands. */
  putBack(seq: number, texts: readonly string[]): Promise<void> {
    return this.#editStanding(seq, (record, around) => putBackInto(record, texts, around));
  }

  async #editStanding(seq: number, edit: BlockEdit): Promise<void> {
    await this.counted;
    const time = this.#effects.now();
    await this.#append((lastSeq, state) => {
      const standing = state.compactions.find(({ record, active }) => active && record.seq === seq);
      if (!standing || coveringCompaction(state, seq)) {
        throw new OperationRefused(
          'The block of compaction #{0} is not in the context, so its text cannot be changed.',
          [seq],
        );
      }
      const { text, tokensAfter, loss } = edited(edit(standing.record, this.#editSurroundings(state)));
      if (text === standing.record.text) return [];
      return [{ kind: 'edit', seq: lastSeq + 1, time, compaction: seq, text, tokensAfter, loss }];
    });
  }

  #append(draft: RecordDraft): Promise<void> {
    return this.#act(() => appendRecords(this.#access, draft));
  }

  #editSurroundings(state: JournalState): EditSurroundings {
    const { conversation, ledger } = this;
    return { conversation, state, ledger };
  }

  /** Writes a run that was prepared here to the journal. Refused when the journal went on since it was prepared. */
  async apply(run: PreparedRun): Promise<void> {
    this.#refuseForeign(run);
    await this.#act(() => applyRun(this.#access, run));
  }

  /** What an undo would take back. */
  planUndo(seq?: number): UndoPlan {
    return planUndo(this.state, seq);
  }

  /** Undoes one compaction and those that lie over it, or the newest run. Returns what was undone. */
  undo(seq?: number): Promise<readonly number[]> {
    return this.#act(() => undo(this.#access, (state) => planUndo(state, seq)));
  }

  /** Undoes what is still in force of a run, by the seq of its first record. */
  undoRun(run: number): Promise<readonly number[]> {
    return this.#act(() => undo(this.#access, (state) => planUndoOfRun(state, run)));
  }

  /** Takes the newest undo back. Returns what stands again. */
  redo(): Promise<readonly number[]> {
    return this.#act(() => redo(this.#access));
  }

  /** Entries that a person took out by hand. */
  get excluded(): ReadonlySet<string> {
    return excludedEntries(this.state, this.conversation);
  }

  /** The core as it goes with a handoff: the new thread has nothing of this one, its first request included. */
  get handedOver(): CoreState | null {
    const ids = this.conversation.agentContext.map((entry) => entry.id);
    return coreWithout(this.state, this.conversation, new Set(), ids);
  }

  /** What is in force of the protected core; null while that is nothing. */
  get core(): CoreState | null {
    return overlayOf(this.state, this.conversation).core;
  }

  /**
   * Adds to the core what was said and may belong there, as proposals: from sentences, or from what a model quotes.
   * Returns how many were new.
   */
  async propose(asked?: { readonly model: LanguageModel; readonly signal: AbortSignal }): Promise<number> {
    const { excluded } = this;
    const { now, newId } = this.#effects;
    const entries = this.conversation.entries.filter(({ id }) => !excluded.has(id));
    const found = asked
      ? await proposalsFromModel(entries, this.core, asked.model, asked.signal)
      : proposalsFromSentences(entries);
    const proposedBy = asked?.model.model ?? 'sentences';
    const timestamp = now();
    let added = 0;
    await this.#append((lastSeq, { items }) => {
      const proposals = newProposals(found, items).slice(0, mostProposals);
      added = proposals.length;
      return proposals.map((proposal, index) => ({
        kind: 'pin',
        seq: lastSeq + 1 + index,
        time: timestamp,
        item: { ...proposal, id: newId(), timestamp, status: 'proposed', proposedBy },
      }));
    });
    return added;
  }

  /** Puts a goal, a constraint or a decision into the protected core, verbatim. A person asked for it, so it is active. */
  pin(kind: PinKind, text: string, entryId: string | null, rationale: Pin['rationale'] = null): Promise<CoreItem> {
    return this.#act(() => pinItem(this.#access, { kind, text, rationale, entryId }));
  }

  /** Adds one item to the core as a proposal. A person confirms or refuses it; what is known is not proposed again. */
  proposeItem(proposal: ItemProposal): Promise<ProposalOutcome> {
    return this.#act(() => proposeItem(this.#access, proposal));
  }

  changeItem(itemId: string, status: CoreItemStatus): Promise<void> {
    return this.#act(() => changeItem(this.#access, itemId, status));
  }

  /** Other words for an item of the core; its place and its life stay. */
  editItem(itemId: string, text: string, rationale: string | null): Promise<void> {
    return this.#act(() => editItem(this.#access, itemId, text, rationale));
  }

  /** Puts items of one kind into this order; others stay where they are. */
  orderItems(itemIds: readonly string[]): Promise<void> {
    return this.#act(() => orderItems(this.#access, itemIds));
  }
}

/** What a run has where nobody says otherwise. */
const runDefaults = { trigger: 'manual', verification: 'repair', floorTokens: 0 } as const;

/** By what is quick to compare: a message that says something else is another message, or has another size. */
function isSameContext(a: Context, b: Context): boolean {
  return (
    a.tokens.total === b.tokens.total &&
    a.messages.length === b.messages.length &&
    a.messages.every(({ key }, place) => key === b.messages[place]?.key)
  );
}

type RecordDraft = (lastSeq: number, state: JournalState) => readonly JournalRecord[];

type BlockEdit = (record: CompactionRecord, around: EditSurroundings) => EditOutcome;

function edited(outcome: EditOutcome): CompactionRecord {
  if (outcome.kind === 'refused') throw new OperationRefused(editRefusals[outcome.reason]);
  return outcome.record;
}

/** Waits no longer than the signal lets it. */
function orAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort, { once: true });
    void work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}
