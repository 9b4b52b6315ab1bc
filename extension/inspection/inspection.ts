import { randomUUID } from 'node:crypto';
import type { JournalRecord } from '../engine/compaction/journal';
import type { JournalState } from '../engine/compaction/journal-state';
import type { LanguageModel } from '../engine/compaction/language-model';
import { coreWithout, overlayOf } from '../engine/compaction/overlay';
import type { Parameters } from '../engine/compaction/plan';
import { type PreparedRun, prepareRun, type RunProgress } from '../engine/compaction/run';
import { planRedo, planUndo, planUndoOfRun, type UndoPlan } from '../engine/compaction/undo';
import type { VerificationMode } from '../engine/compaction/verify';
import type { Context } from '../engine/conversation/context';
import { project } from '../engine/conversation/projection';
import { TokenLedger } from '../engine/conversation/tokens';
import type { CoreItem, CoreItemStatus, CoreState, PinKind } from '../engine/core/core';
import { proposalsFromModel } from '../engine/core/model-proposals';
import { newProposals, proposalsFromSentences, sameness } from '../engine/core/proposals';
import type { WritingTools } from '../engine/strategies/strategy';
import { contextWindowOf } from '../sessions/model-windows';
import type { Session, SessionIssue } from '../sessions/session';
import { headerRecord, type JournalFile } from './journal-file';

/** What stands in for the context window of a model that is not known. */
export const assumedContextWindow = 200_000;

/** More than a person reads at once; asking again brings the next ones. */
const mostProposals = 20;

/** An operation that cannot be carried out as asked; the message says why. Nothing has changed. */
export class OperationRefused extends Error {
  override name = 'OperationRefused';
}

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
  /** Absent: no floor. */
  readonly floorTokens?: number;
  readonly onProgress?: (progress: RunProgress) => void;
}

/** A goal, constraint or decision that somebody other than the person wants in the core. */
export interface ItemProposal {
  readonly kind: PinKind;
  readonly text: string;
  readonly rationale: string | null;
  /** The name of a model, or of what else proposes. */
  readonly proposedBy: string;
}

export type ProposalOutcome =
  | { readonly kind: 'proposed'; readonly item: CoreItem }
  /** The core holds the same words already, in whatever state; nothing was added. */
  | { readonly kind: 'known'; readonly item: CoreItem };

/** One session together with its journal: what the panel and the command line both work on. */
export class Inspection {
  /** Entries when it was opened. */
  readonly #entriesAtFirst: number;
  #context: { session: Session; state: JournalState; value: Context } | null = null;

  private constructor(
    public session: Session,
    readonly journal: JournalFile,
    readonly ledger: TokenLedger,
    readonly fallbackWindow: number,
  ) {
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

  /** What the model would be sent now. Computed anew only when the session or the journal has changed. */
  get context(): Context {
    const { session } = this;
    const { state } = this.journal;
    if (this.#context?.session !== session || this.#context.state !== state) {
      const value = project(session.conversation, overlayOf(state, session.conversation), this.ledger);
      this.#context = { session, state, value };
    }
    return this.#context.value;
  }

  /** Prepares a compaction without carrying it out: this is the preview. */
  prepare(order: CompactionOrder): Promise<PreparedRun> {
    return prepareRun({
      trigger: 'manual',
      verification: 'repair',
      floorTokens: 0,
      ...order,
      conversation: this.session.conversation,
      state: this.#stateWithHeader(),
      contextWindow: this.contextWindow,
      ledger: this.ledger,
      now: isoNow,
      clock: () => performance.now(),
    });
  }

  /** Writes a prepared run to the journal. Refused when the journal went on since it was prepared. */
  async apply(run: PreparedRun): Promise<void> {
    const [first] = run.records;
    if (!first) return;
    await this.#append((lastSeq) => {
      if (lastSeq + 1 !== first.seq) {
        throw new OperationRefused('The journal has changed since this compaction was prepared. Prepare it again.');
      }
      return run.records;
    });
  }

  planUndo(seq?: number): UndoPlan {
    return planUndo(this.journal.state, seq);
  }

  /** Undoes one compaction and those that lie over it, or the newest run. Returns what was undone. */
  undo(seq?: number): Promise<readonly number[]> {
    return this.#undo((state) => planUndo(state, seq));
  }

  /** Undoes what is still in force of a run, by the seq of its first record. */
  undoRun(run: number): Promise<readonly number[]> {
    return this.#undo((state) => planUndoOfRun(state, run));
  }

  async #undo(planOf: (state: JournalState) => UndoPlan): Promise<readonly number[]> {
    let compactions: readonly number[] = [];
    await this.#append((lastSeq, state) => {
      const plan = planOf(state);
      if (plan.kind !== 'undoes') throw new OperationRefused(undoRefusal(plan));
      compactions = [...plan.asked, ...plan.alsoUndone];
      return [{ kind: 'undo', seq: lastSeq + 1, time: isoNow(), compactions }];
    });
    return compactions;
  }

  async redo(): Promise<readonly number[]> {
    let compactions: readonly number[] = [];
    await this.#append((lastSeq, state) => {
      const plan = planRedo(state);
      if (plan.kind !== 'redoes') throw new OperationRefused('There is nothing to redo.');
      compactions = plan.compactions;
      return [{ kind: 'redo', seq: lastSeq + 1, time: isoNow(), compactions }];
    });
    return compactions;
  }

  /** The core as it goes with a handoff: the new thread has nothing of this one, its first request included. */
  get handedOver(): CoreState | null {
    const ids = this.session.conversation.agentContext.map((entry) => entry.id);
    return coreWithout(this.journal.state, this.session.conversation, new Set(), ids);
  }

  /** The active items as the seed's JSON; null while there are none. */
  get core(): CoreState | null {
    return overlayOf(this.journal.state, this.session.conversation).core;
  }

  /**
   * Adds to the core what was said and may belong there, as proposals: from sentences, or from what a model quotes.
   * Returns how many were new.
   */
  async propose(asked?: { readonly model: LanguageModel; readonly signal: AbortSignal }): Promise<number> {
    const { entries } = this.session.conversation;
    const found = asked
      ? await proposalsFromModel(entries, this.core, asked.model, asked.signal)
      : proposalsFromSentences(entries);
    const proposedBy = asked?.model.model ?? 'sentences';
    const timestamp = isoNow();
    let added = 0;
    await this.#append((lastSeq, { items }) => {
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
  async pin(kind: PinKind, text: string, entryId: string | null): Promise<CoreItem> {
    if (text.trim() === '') throw new OperationRefused(`The ${kind} to pin is empty.`);
    const timestamp = isoNow();
    const item: CoreItem = { id: randomUUID(), kind, text, rationale: null, timestamp, entryId, status: 'active' };
    let pinned = item;
    await this.#append((lastSeq, state) => {
      refuseDoublePin(state, item);
      const proposed = state.items.find((known) => known.status === 'proposed' && isSame(known, item));
      if (!proposed) return [{ kind: 'pin', seq: lastSeq + 1, time: timestamp, item }];
      pinned = proposed;
      return [{ kind: 'core-change', seq: lastSeq + 1, time: timestamp, itemId: proposed.id, status: 'active' }];
    });
    return { ...pinned, status: 'active' };
  }

  /** Adds one item to the core as a proposal. A person confirms or refuses it; what is known is not proposed again. */
  async proposeItem({ kind, text, rationale, proposedBy }: ItemProposal): Promise<ProposalOutcome> {
    if (text.trim() === '') throw new OperationRefused(`The ${kind} to propose is empty.`);
    const timestamp = isoNow();
    const item: CoreItem = {
      id: randomUUID(),
      kind,
      text: text.trim(),
      rationale,
      timestamp,
      entryId: null,
      status: 'proposed',
      proposedBy,
    };
    let outcome: ProposalOutcome = { kind: 'proposed', item };
    await this.#append((lastSeq, { items }) => {
      const known = items.find((other) => sameness(other) === sameness(item));
      if (!known) return [{ kind: 'pin', seq: lastSeq + 1, time: timestamp, item }];
      outcome = { kind: 'known', item: known };
      return [];
    });
    return outcome;
  }

  async changeItem(itemId: string, status: CoreItemStatus): Promise<void> {
    await this.#append((lastSeq, state) => {
      if (!state.items.some((item) => item.id === itemId)) throw new OperationRefused('There is no such item pinned.');
      return [{ kind: 'core-change', seq: lastSeq + 1, time: isoNow(), itemId, status }];
    });
  }

  /** A new journal gets its header together with its first record. */
  async #append(draft: (lastSeq: number, state: JournalState) => readonly JournalRecord[]): Promise<void> {
    await this.journal.append((state) => {
      if (state.lastSeq >= 0) return draft(state.lastSeq, state);
      const first = draft(0, state);
      return first.length === 0 ? [] : [headerRecord(this.journal.session, isoNow()), ...first];
    });
  }

  #stateWithHeader(): JournalState {
    const { state } = this.journal;
    return state.lastSeq >= 0 ? state : { ...state, lastSeq: 0 };
  }
}

function refuseDoublePin({ items }: JournalState, pinned: CoreItem): void {
  const isThere = items.some((item) => item.status === 'active' && isSame(item, pinned));
  if (isThere) throw new OperationRefused(`This ${pinned.kind} is already pinned.`);
}

function isSame(a: CoreItem, b: CoreItem): boolean {
  return a.kind === b.kind && a.text.trim() === b.text.trim();
}

function undoRefusal(plan: Exclude<UndoPlan, { kind: 'undoes' }>): string {
  switch (plan.kind) {
    case 'nothing-to-undo':
      return 'There is no compaction to undo.';
    case 'unknown-compaction':
      return `There is no compaction #${plan.seq} of Strata in this journal.`;
    case 'already-undone':
      return `Compaction #${plan.seq} is already undone.`;
  }
}

function isoNow(): string {
  return new Date().toISOString();
}
