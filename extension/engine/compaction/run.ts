import type { Context } from '../conversation/context';
import type { Conversation } from '../conversation/conversation';
import { blockText, project } from '../conversation/projection';
import type { TokenLedger } from '../conversation/tokens';
import { findStrategy, type StrategyChoice } from '../strategies/registry';
import type { Strategy } from '../strategies/strategy';
import type { CompactionRecord } from './journal';
import { foldJournal, type JournalState } from './journal-state';
import { overlayOf } from './overlay';
import {
  type CompactionPlan,
  type Parameters,
  type PlanOutcome,
  planKey,
  replacedMessages,
  replacedTokens,
} from './plan';
import { buildRequest, type EntryLookup, entriesById, replacedEntries } from './request';
import type { Summarizer } from './summary';
import { type RejectionReason, rejectionReasons, verify } from './verify';

export interface RunInput {
  readonly conversation: Conversation;
  readonly state: JournalState;
  readonly strategy: string;
  /** By strategy name; what is absent keeps its default. */
  readonly parameters: Readonly<Record<string, Parameters>>;
  readonly contextWindow: number;
  readonly trigger: 'manual' | 'automatic';
  readonly instructions: string | null;
  readonly summarizer: Summarizer;
  readonly ledger: TokenLedger;
  /** ISO 8601. */
  readonly now: () => string;
  /** Milliseconds, for durations only. */
  readonly clock: () => number;
  readonly signal: AbortSignal;
  readonly onBlock?: (record: CompactionRecord) => void;
}

/** A run that is ready: its records are still to be written to the journal. Preparing changes nothing. */
export interface PreparedRun {
  readonly strategy: string;
  readonly before: Context;
  readonly after: Context;
  /** Empty when there was nothing to do; `notes` then says why. */
  readonly records: readonly CompactionRecord[];
  /** The records' plans, in the same order. */
  readonly plans: readonly CompactionPlan[];
  readonly notes: readonly string[];
}

export class UnknownStrategy extends Error {
  override name = 'UnknownStrategy';
}

/** Plans, summarises and verifies until no step has anything left to plan. The steps see each other's blocks. */
export async function prepareRun(input: RunInput): Promise<PreparedRun> {
  const choice = findStrategy(input.strategy);
  if (!choice) throw new UnknownStrategy(`There is no strategy named "${input.strategy}".`);
  const run = new Run(input, choice);
  for (const step of choice.steps) await run.exhaust(step);
  return run.prepared();
}

class Run {
  readonly #records: CompactionRecord[] = [];
  readonly #plans: CompactionPlan[] = [];
  readonly #notes: string[] = [];
  readonly #before: Context;
  readonly #entryOf: EntryLookup;
  #state: JournalState;
  #context: Context;

  constructor(
    readonly input: RunInput,
    readonly choice: StrategyChoice,
  ) {
    this.#state = input.state;
    this.#entryOf = entriesById(input.conversation);
    this.#before = this.#project();
    this.#context = this.#before;
  }

  prepared(): PreparedRun {
    return {
      strategy: this.choice.name,
      before: this.#before,
      after: this.#context,
      records: this.#records.map((record) => ({ ...record, runLength: this.#records.length })),
      plans: this.#plans,
      notes: this.#notes,
    };
  }

  /** Rounds of planning until a step has nothing left: what a round rejects is not planned again. */
  async exhaust(step: Strategy): Promise<void> {
    const rejected = new Set<string>();
    const first = this.#records.length;
    for (;;) {
      const outcome = this.#plan(step, rejected);
      if (outcome.kind !== 'planned') {
        if (this.#records.length === first) this.#notes.push(`${step.title}: ${explain(outcome)}`);
        return;
      }
      await this.#carryOutAll(step, outcome, rejected);
    }
  }

  #plan(step: Strategy, rejected: ReadonlySet<string>): PlanOutcome {
    const { messages, tokens } = this.#context;
    const { contextWindow, trigger, parameters } = this.input;
    return step.plan(
      { messages, tokens, contextWindow, trigger, rejected },
      { ...step.defaults, ...parameters[step.name] },
    );
  }

  /** The context is projected once for all blocks of a round, so that a run takes time linear in the entries. */
  async #carryOutAll(step: Strategy, { plans, enoughAt }: Planned, rejected: Set<string>): Promise<void> {
    const before = this.#context.tokens;
    const made: CompactionRecord[] = [];
    let left = before.total;
    for (const plan of plans) {
      if (enoughAt !== undefined && left <= enoughAt) break;
      this.input.signal.throwIfAborted();
      const outcome = await this.#carryOut(plan, this.#state.lastSeq + 1 + made.length);
      if (outcome.kind === 'rejected') {
        this.#reject(step, plan, outcome.reason, rejected);
        continue;
      }
      made.push(outcome.record);
      this.#plans.push(plan);
      this.#records.push(outcome.record);
      left -= (outcome.record.tokensBefore - outcome.record.tokensAfter) * before.calibration;
      this.input.onBlock?.(outcome.record);
    }
    this.#state = foldJournal(made, this.#state);
    this.#context = this.#project();
  }

  #reject(step: Strategy, plan: CompactionPlan, reason: RejectionReason, rejected: Set<string>): void {
    rejected.add(planKey(plan));
    const note = `${step.title}: a block was left out (${rejectionReasons[reason]}).`;
    if (!this.#notes.includes(note)) this.#notes.push(note);
  }

  async #carryOut(plan: CompactionPlan, seq: number): Promise<CarriedOut> {
    const { summarizer, ledger, instructions, signal, clock } = this.input;
    const request = buildRequest(plan, this.#entryOf, instructions, ledger.countText);
    const began = clock();
    const summary = await summarizer.summarize(request, signal);
    const durationMs = clock() - began;
    const text = blockText(plan.summaryType, summary.body);
    const tokensBefore = replacedTokens(plan);
    const tokensAfter = ledger.ofParts([{ type: 'text', text }]);
    const replaced = replacedEntries(request, plan);
    const verdict = verify({ request, summary, replaced, tokensBefore, tokensAfter });
    if (verdict.kind === 'rejected') return verdict;
    const record: CompactionRecord = {
      kind: 'compaction',
      seq,
      time: this.input.now(),
      run: this.#records[0]?.seq ?? seq,
      runLength: 0,
      strategy: plan.strategy,
      parameters: plan.parameters,
      trigger: this.input.trigger,
      instructions,
      summarizer: { name: summarizer.name, model: summarizer.model },
      promptHash: summary.promptHash,
      summaryType: plan.summaryType,
      turnCount: plan.turns.length,
      entryIds: replacedMessages(plan).flatMap((message) => message.entryIds),
      swallowed: replacedMessages(plan).flatMap((message) => message.block?.seq ?? []),
      tokensBefore,
      tokensAfter,
      tokensSpent: summary.tokensSpent,
      durationMs,
      text,
      spans: summary.spans,
      loss: verdict.loss,
    };
    return { kind: 'made', record };
  }

  #project(): Context {
    const { conversation, ledger } = this.input;
    return project(conversation, overlayOf(this.#state, conversation), ledger);
  }
}

type Planned = Extract<PlanOutcome, { kind: 'planned' }>;

type CarriedOut =
  | { readonly kind: 'made'; readonly record: CompactionRecord }
  | { readonly kind: 'rejected'; readonly reason: RejectionReason };

function explain(outcome: Exclude<PlanOutcome, { kind: 'planned' }>): string {
  switch (outcome.kind) {
    case 'nothing-to-compact':
      return 'there is nothing of that kind to compact.';
    case 'protected':
      return 'all of it is in the live turn or younger than the age line.';
    case 'too-small':
      return 'what there is would not get smaller.';
    case 'not-triggered':
      return outcome.reason;
  }
}
