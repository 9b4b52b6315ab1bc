import { randomUUID } from 'node:crypto';
import type { LanguageModel } from '../engine/block/language-model';
import type { Parameters } from '../engine/block/plan';
import type { WritingTools } from '../engine/block/strategy';
import type { ContextRange } from '../engine/compaction/range';
import type { VerificationMode } from '../engine/compaction/verify';
import type { Context } from '../engine/conversation/context';
import { project } from '../engine/conversation/projection';
import { type CountTokens, estimatesByLength, TokenLedger } from '../engine/conversation/tokens';
import type { CoreItem, CoreItemStatus, CoreState, PinKind } from '../engine/core/core';
import { excludedEntries } from '../engine/journal/excluded';
import type { CompactionRecord } from '../engine/journal/journal';
import { appendRecords, type JournalAccess, stateWithHeader } from '../engine/journal/journal-access';
import type { JournalState } from '../engine/journal/journal-state';
import { OperationRefused } from '../engine/journal/operation-refused';
import { coreWithout, overlayOf } from '../engine/journal/overlay';
import { coveringCompaction, planUndo, planUndoOfRun, type UndoPlan } from '../engine/journal/undo';
import { newProposals, proposalsFromSentences } from '../engine/language/proposals';
import { proposalsFromModel } from '../engine/prompts/model-proposals';
import { applyRun } from '../engine/run/apply';
import {
  changeItem,
  editItem,
  type ItemProposal,
  orderItems,
  type ProposalOutcome,
  pinItem,
  proposeItem,
} from '../engine/run/core-items';
import {
  type EditOutcome,
  type EditSurroundings,
  editableText,
  editBlock,
  editRefusals,
  putBackInto,
  withRecord,
} from '../engine/run/edit';
import { prepareExclusion } from '../engine/run/exclude';
import type { PreparedRun } from '../engine/run/prepared-run';
import { prepareRun, type RunProgress } from '../engine/run/run';
import { standingIn } from '../engine/run/run-loss';
import { redo, undo } from '../engine/run/undo';
import { contextWindowOf } from '../sessions/model-windows';
import type { Session, SessionIssue } from '../sessions/session';
import type { JournalFile } from './journal-file';

export { OperationRefused } from '../engine/journal/operation-refused';
export type { ItemProposal, ProposalOutcome } from '../engine/run/core-items';

/** What stands in for the context window of a model that is not known. */
export const assumedContextWindow = 200_000;

/** More than a person reads at once; asking again brings the next ones. */
const mostProposals = 20;

export interface CompactionOrder {
  readonly strategy: string;
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
  /** Absent: no floor. */
  readonly floorTokens?: number;
  readonly onProgress?: (progress: RunProgress) => void;
  /** Absent: everything that the strategy may touch. */
  readonly range?: ContextRange;
}

/**
 * Counts what the agent would send of a session, which may go on meanwhile, and lets the ledger know. What it leaves out
 * is counted when it is asked for. Rejected only when the session is closed.
 */
export type CountSession = (ledger: TokenLedger, session: () => Session) => Promise<void>;

/** One session together with its journal: what the panel and the command line both work on. */
export class Inspection {
  /** Entries when it was opened. */
  readonly #entriesAtFirst: number;
  #context: { session: Session; state: JournalState; ledger: TokenLedger; value: Context } | null = null;
  #ledger: TokenLedger;
  /** Runs that may be applied here. Ids of entries can be alike in two sessions, so a run does not tell by itself. */
  readonly #prepared = new WeakSet<PreparedRun>();
  /** Null once the ledger counts. */
  #counting: Promise<void> | null = null;
  readonly #access: JournalAccess;

  private constructor(
    public session: Session,
    readonly journal: JournalFile,
    ledger: TokenLedger,
    readonly fallbackWindow: number,
  ) {
    this.#ledger = ledger;
    this.#access = { journal, now: isoNow, newId: randomUUID };
    this.#entriesAtFirst = session.conversation.entries.length;
  }

  /** The tokenizer's tables take a while to load, so they are loaded with the first session and not before. */
  static async of(
    session: Session,
    journal: JournalFile,
    fallbackWindow: number = assumedContextWindow,
  ): Promise<Inspection> {
    const { countWithO200k } = await import('../engine/conversation/tokenizer');
    return new Inspection(session, journal, new TokenLedger(countWithO200k), fallbackWindow);
  }

  /** Can be shown at once: lengths stand in for tokens until all of them are counted. */
  static estimated(
    session: Session,
    journal: JournalFile,
    fallbackWindow: number,
    countSession: CountSession,
  ): Inspection {
    const inspection = new Inspection(session, journal, estimatesByLength(), fallbackWindow);
    inspection.#counting = inspection.#countWith(countSession);
    return inspection;
  }

  async #countWith(countSession: CountSession): Promise<void> {
    let countText: CountTokens | null = null;
    const ledger = new TokenLedger((text) => {
      if (countText === null) throw new Error('A count was asked for before the tokenizer was there.');
      return countText(text);
    });
    await countSession(ledger, () => this.session);
    countText = (await import('../engine/conversation/tokenizer')).countWithO200k;
    this.#ledger = ledger;
    this.#counting = null;
  }

  /** Of counts, or of estimates while it is counted. What is written down comes from counts: see `counted`. */
  get ledger(): TokenLedger {
    return this.#ledger;
  }

  get isCounting(): boolean {
    return this.#counting !== null;
  }

  /** Settles when every figure is a count. Rejected when the session was closed before, or there is no tokenizer. */
  get counted(): Promise<void> {
    return this.#counting ?? Promise.resolve();
  }

  /** As the session says, else as known of its model; null where it has to be assumed. */
  get knownWindow(): number | null {
    const { contextWindow, model } = this.session;
    return contextWindow ?? contextWindowOf(model);
  }

  get contextWindow(): number {
    return this.knownWindow ?? this.fallbackWindow;
  }

  /** Somebody is at work in this session: an agent has it open, or it has grown since it was opened here. */
  get goesOn(): boolean {
    const { live, conversation } = this.session;
    return live || conversation.entries.length > this.#entriesAtFirst;
  }

  get issues(): readonly SessionIssue[] {
    return [...this.session.issues, ...this.journal.issues];
  }

  /** What the model would be sent now. Computed anew only when the session, the journal or the counts have changed. */
  get context(): Context {
    const { session, ledger } = this;
    const { state } = this.journal;
    const known = this.#context;
    if (known?.session === session && known.state === state && known.ledger === ledger) return known.value;
    const value = project(session.conversation, overlayOf(state, session.conversation), ledger);
    this.#context = { session, state, ledger, value };
    return value;
  }

  /** Prepares a compaction without carrying it out: this is the preview. */
  async prepare(order: CompactionOrder): Promise<PreparedRun> {
    await orAborted(this.counted, order.signal);
    return this.#own(await prepareRun({ ...runDefaults, ...order, ...this.#runSurroundings }));
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
    return {
      conversation: this.session.conversation,
      state: stateWithHeader(this.journal),
      contextWindow: this.contextWindow,
      ledger: this.ledger,
      now: isoNow,
      clock: () => performance.now(),
    };
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
    if (!record) throw new OperationRefused('There is no such block in this preview.');
    if (!standingIn(run.records).includes(record)) {
      throw new OperationRefused('A later block of this preview takes this one in, so its text cannot be changed.');
    }
    if (!this.#isCurrent(run)) {
      throw new OperationRefused('The session has changed since this preview was made. Preview it again.');
    }
    const around = this.#editSurroundings(stateWithHeader(this.journal));
    return this.#own(withRecord(run, edited(edit(record, around)), around));
  }

  /** Nothing was added to the session or to the journal since this run was prepared. */
  #isCurrent({ before, records: [first] }: PreparedRun): boolean {
    return first?.seq === stateWithHeader(this.journal).lastSeq + 1 && isSameContext(before, this.context);
  }

  /** Gives a block that stands another text. Refused when its text is not `before`, which the person began with. */
  editBlock(seq: number, body: string, before?: string): Promise<void> {
    return this.#editStanding(seq, (record, around) => {
      if (before !== undefined && editableText(record) !== before) {
        throw new OperationRefused(
          'The text of this block was changed elsewhere since you began. Copy what you wrote, cancel, and edit the new text.',
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
    await appendRecords(this.#access, (lastSeq, state) => {
      const standing = state.compactions.find(({ record, active }) => active && record.seq === seq);
      if (!standing || coveringCompaction(state, seq)) {
        throw new OperationRefused(`The block of compaction #${seq} does not stand, so its text cannot be changed.`);
      }
      const { text, tokensAfter, loss } = edited(edit(standing.record, this.#editSurroundings(state)));
      if (text === standing.record.text) return [];
      return [{ kind: 'edit', seq: lastSeq + 1, time: isoNow(), compaction: seq, text, tokensAfter, loss }];
    });
  }

  #editSurroundings(state: JournalState): EditSurroundings {
    return { conversation: this.session.conversation, state, ledger: this.ledger };
  }

  /** Writes a run that was prepared here to the journal. Refused when the journal went on since it was prepared. */
  async apply(run: PreparedRun): Promise<void> {
    this.#refuseForeign(run);
    await applyRun(this.#access, run);
  }

  planUndo(seq?: number): UndoPlan {
    return planUndo(this.journal.state, seq);
  }

  /** Undoes one compaction and those that lie over it, or the newest run. Returns what was undone. */
  undo(seq?: number): Promise<readonly number[]> {
    return undo(this.#access, (state) => planUndo(state, seq));
  }

  /** Undoes what is still in force of a run, by the seq of its first record. */
  undoRun(run: number): Promise<readonly number[]> {
    return undo(this.#access, (state) => planUndoOfRun(state, run));
  }

  redo(): Promise<readonly number[]> {
    return redo(this.#access);
  }

  /** Entries that a person took out by hand. */
  get excluded(): ReadonlySet<string> {
    return excludedEntries(this.journal.state, this.session.conversation);
  }

  /** The core as it goes with a handoff: the new thread has nothing of this one, its first request included. */
  get handedOver(): CoreState | null {
    const ids = this.session.conversation.agentContext.map((entry) => entry.id);
    return coreWithout(this.journal.state, this.session.conversation, new Set(), ids);
  }

  /** The active items as a core; null while there are none. */
  get core(): CoreState | null {
    return overlayOf(this.journal.state, this.session.conversation).core;
  }

  /**
   * Adds to the core what was said and may belong there, as proposals: from sentences, or from what a model quotes.
   * Returns how many were new.
   */
  async propose(asked?: { readonly model: LanguageModel; readonly signal: AbortSignal }): Promise<number> {
    const { excluded } = this;
    const entries = this.session.conversation.entries.filter(({ id }) => !excluded.has(id));
    const found = asked
      ? await proposalsFromModel(entries, this.core, asked.model, asked.signal)
      : proposalsFromSentences(entries);
    const proposedBy = asked?.model.model ?? 'sentences';
    const timestamp = isoNow();
    let added = 0;
    await appendRecords(this.#access, (lastSeq, { items }) => {
      const proposals = newProposals(found, items).slice(0, mostProposals);
      added = proposals.length;
      return proposals.map((proposal, index) => ({
        kind: 'pin',
        seq: lastSeq + 1 + index,
        time: timestamp,
        item: { ...proposal, id: randomUUID(), timestamp, status: 'proposed', proposedBy },
      }));
    });
    return added;
  }

  /** Puts a goal, a constraint or a decision into the protected core, verbatim. A person asked for it, so it is active. */
  pin(kind: PinKind, text: string, entryId: string | null): Promise<CoreItem> {
    return pinItem(this.#access, { kind, text, rationale: null, entryId });
  }

  /** Adds one item to the core as a proposal. A person confirms or refuses it; what is known is not proposed again. */
  proposeItem(proposal: ItemProposal): Promise<ProposalOutcome> {
    return proposeItem(this.#access, proposal);
  }

  changeItem(itemId: string, status: CoreItemStatus): Promise<void> {
    return changeItem(this.#access, itemId, status);
  }

  /** Other words for an item of the core; its place and its life stay. */
  editItem(itemId: string, text: string, rationale: string | null): Promise<void> {
    return editItem(this.#access, itemId, text, rationale);
  }

  /** Puts items of one kind into this order; others stay where they are. */
  orderItems(itemIds: readonly string[]): Promise<void> {
    return orderItems(this.#access, itemIds);
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

function isoNow(): string {
  return new Date().toISOString();
}
