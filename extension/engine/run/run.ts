import { ModelFailed } from '../block/language-model';
import type { Memory } from '../block/memory';
import {
  type CompactionPlan,
  contextSize,
  type Parameters,
  type PlanInput,
  type PlanOutcome,
  planKey,
  type Room,
  replacedMessages,
  replacedTokens,
} from '../block/plan';
import type { Strategy, WritingTools, WrittenBlock } from '../block/strategy';
import type { Summarizer, SummaryRequest } from '../block/summary';
import { displayLine } from '../compaction/display-line';
import { withoutImpostors } from '../compaction/impostors';
import { type ContextRange, entriesInRange, withinRange } from '../compaction/range';
import { bodyLimit, buildRequest, entriesById, type KnownEntries, replacedEntries } from '../compaction/request';
import { type Rejected, rejectionText, type Verdict, type VerificationMode, verify } from '../compaction/verify';
import { blockForm, type Context, type ContextMessage, type ContextTokens } from '../conversation/context';
import type { Conversation } from '../conversation/conversation';
import { readableText, textOf } from '../conversation/entry';
import { blockText, coreKey, project, prunedPart, tokensOfCore } from '../conversation/projection';
import type { TokenLedger } from '../conversation/tokens';
import { opensTurn } from '../conversation/turns';
import { excludedEntries } from '../journal/excluded';
import type { CompactionRecord } from '../journal/journal';
import { foldJournal, type JournalState } from '../journal/journal-state';
import { coreWithout, overlayOf, standingGoal } from '../journal/overlay';
import { joined, LocalizableError, type LocalizableText, listed, localizable } from '../wording/localizable-text';
import type { PreparedRun } from './prepared-run';
import { findStrategy, roomOf, type StrategyChoice } from './registry';
import { lostConstraints } from './run-loss';
import { sinceCompaction } from './since-compaction';
import { untouchedSizes } from './untouched-sizes';

export interface RunInput {
  readonly conversation: Conversation;
  readonly state: JournalState;
  readonly strategy: string;
  /** Parameters by strategy name; absent ones have their defaults. */
  readonly parameters: Readonly<Record<string, Parameters>>;
  readonly contextWindow: number;
  readonly trigger: 'manual' | 'automatic';
  /** Target size of the whole context in tokens. Absent: from the strategy's own parameters. */
  readonly targetTokens?: number;
  /** Ignores the strategy's own trigger, because the next request would not fit. */
  readonly isDue?: boolean;
  readonly instructions: string | null;
  readonly tools: WritingTools;
  readonly verification: VerificationMode;
  /** Once the context has at most this many tokens, only steps that start by count make further blocks. */
  readonly floorTokens: number;
  readonly ledger: TokenLedger;
  /** ISO 8601. */
  readonly now: () => string;
  /** Milliseconds, for durations only. */
  readonly clock: () => number;
  readonly signal: AbortSignal;
  readonly onProgress?: (progress: RunProgress) => void;
  /** Limits the messages that the run may touch. Absent: all that the strategy may touch. */
  readonly range?: ContextRange;
  /** Leaves the core out of the context, to measure what a strategy keeps by itself. */
  readonly withoutCore?: true;
}

export interface RunProgress {
  readonly strategy: string;
  /** Finished blocks of this round, and their total number. */
  readonly done: number;
  readonly of: number;
  /** The text of the current block, as far as it has been streamed. */
  readonly text: string;
}

/** Consecutive failed calls or rejected summaries after which a run stops, because each call costs tokens. */
const maxFruitlessCalls = 3;

export class UnknownStrategy extends LocalizableError {
  override name = 'UnknownStrategy';
}

export function unknownStrategy(name: string): UnknownStrategy {
  return new UnknownStrategy(localizable('There is no strategy named "{0}".', name));
}

/** Plans, summarises and verifies until no step has anything left to plan. Each step sees the blocks of the others. */
export async function prepareRun(input: RunInput): Promise<PreparedRun> {
  const choice = findStrategy(input.strategy);
  if (!choice) throw unknownStrategy(input.strategy);
  return await prepareRunOf(choice, input);
}

/** The same for a strategy that is not in the registry. */
export async function prepareRunOf(choice: StrategyChoice, input: Omit<RunInput, 'strategy'>): Promise<PreparedRun> {
  const run = new Run(input, choice);
  for (const step of choice.steps) await run.exhaust(step);
  run.noteShortfalls();
  run.noteMissedTarget();
  run.noteLostConstraints();
  return run.prepared();
}

class Run {
  readonly #records: CompactionRecord[] = [];
  readonly #plans: CompactionPlan[] = [];
  readonly #notes: LocalizableText[] = [];
  readonly #failures: LocalizableText[] = [];
  /** Number of consecutive model calls without a usable result. */
  #fruitless = 0;
  /** A shared call came to nothing: the model cannot keep to the form of its answer, or not write that much. */
  #isSharingBroken = false;
  #tokensSpent = { input: 0, output: 0 };
  readonly #before: Context;
  readonly #known: KnownEntries;
  /** By message key: the tokens from that message to the end of the context before the run. */
  readonly #tokensFrom: ReadonlyMap<string, number>;
  /** Ids of the entries that may be touched; null: all. */
  readonly #range: ReadonlySet<string> | null;
  /** Ids of the entries that blocks replace in the current state of the journal. */
  #beneath: ReadonlySet<string> = new Set();
  readonly #room: Room | null;
  #state: JournalState;
  #context: Context;

  constructor(
    readonly input: Omit<RunInput, 'strategy'>,
    readonly choice: StrategyChoice,
  ) {
    this.#state = input.state;
    this.#known = entriesById(input.conversation, excludedEntries(input.state, input.conversation));
    this.#before = this.#project();
    this.#context = this.#before;
    this.#tokensFrom = tokensFromEach(this.#before.messages);
    this.#room = this.#roomOf(this.#before.tokens);
    this.#range = input.range ? entriesInRange(this.#before.messages, input.range) : null;
  }

  prepared(): PreparedRun {
    return {
      strategy: this.choice.name,
      before: this.#before,
      after: this.#context,
      records: this.#records.map((record) => ({
        ...record,
        runLength: this.#records.length,
        contextTokens: { before: this.#before.tokens.total, after: this.#context.tokens.total },
      })),
      plans: this.#plans,
      notes: this.#notes,
      failures: this.#failures,
      tokensSpent: this.#tokensSpent,
    };
  }

  /** Repeats planning rounds until a step has nothing left. Plans rejected in one round are not planned again. */
  async exhaust(step: Strategy): Promise<void> {
    const rejected = new Set<string>();
    const first = this.#records.length;
    while (!this.#isDone && !this.#isStoppedFor(step)) {
      const outcome = this.#plan(step, rejected);
      if (outcome.kind !== 'planned') {
        const madeNothing = this.#records.length === first && rejected.size === 0;
        if (madeNothing && !this.choice.aim) this.#notes.push(noteOf(step, explain(outcome)));
        return;
      }
      const hasProgress = await this.#carryOutAll(step, outcome, rejected);
      if (!hasProgress) return;
    }
  }

  /** Reports lost constraints without being asked: a lost name can be looked up again, a lost rule cannot. */
  noteLostConstraints(): void {
    const core = this.#context.messages.find(({ key }) => key === coreKey);
    const lost = lostConstraints(this.#records, core ? textOf(core.parts) : '').length;
    if (lost === 0) return;
    this.#notes.push(
      lost === 1
        ? localizable('1 constraint of the person is in no block: see the loss report, and pin what must hold.')
        : localizable(
            '{0} constraints of the person are in no block: see the loss report, and pin what must hold.',
            lost,
          ),
    );
  }

  /** Notes what the strategies' own parameters do not allow but is left, unless a chosen range or a failure explains it. */
  noteShortfalls(): void {
    if (this.#range !== null || this.#failures.length > 0) return;
    for (const step of this.choice.steps) {
      const sentence = step.shortfall?.(this.#planInput(step, new Set()), this.#parametersOf(step)) ?? null;
      if (sentence !== null) this.#notes.push(noteOf(step, sentence));
    }
  }

  /** Notes a missed target, with the sizes of what no compaction touches, and whether the ladder goes further. */
  noteMissedTarget(): void {
    const { total } = this.#context.tokens;
    if (this.#room === null || total <= this.#room.mostTokens) return;
    const missed = localizable(
      'The context has {0} tokens, and the target is {1}.',
      total,
      Math.round(this.#room.mostTokens),
    );
    const kept = untouchedSizes(this.#context);
    const sizes = listed(kept.map(({ name, tokens }) => localizable('{0} ({1})', name, tokens)));
    const named = localizable('What no compaction touches: {0}.', sizes);
    const leastTokens = kept.reduce((sum, { tokens }) => sum + tokens, 0);
    const alone = localizable('{0} alone frees no more; the ladder goes further.', this.choice.title);
    const goesFurther = this.choice.aim === undefined && leastTokens <= this.#room.mostTokens;
    this.#notes.push(joined(missed, named, ...(goesFurther ? [alone] : [])));
  }

  /** A run without an aim may end at its target, but does not stop there. */
  get #isDone(): boolean {
    const stops = this.choice.aim !== undefined || this.input.targetTokens !== undefined;
    return stops && this.#room !== null && this.#context.tokens.total <= this.#room.targetTokens;
  }

  #roomOf(tokens: ContextTokens): Room | null {
    const { contextWindow, parameters, targetTokens } = this.input;
    const room = roomOf(this.choice, contextSize(tokens, contextWindow), parameters);
    if (targetTokens === undefined) return room;
    const keepRecentTokens = Math.min(room?.keepRecentTokens ?? Number.POSITIVE_INFINITY, targetTokens / 2);
    return { targetTokens, keepRecentTokens, mostTokens: targetTokens };
  }

  /** Failing model calls stop only steps that call a model, not steps that write without one. */
  #isStoppedFor({ withoutModel, write }: Strategy): boolean {
    return this.#isStopped && !withoutModel && !write;
  }

  get #isStopped(): boolean {
    return this.#fruitless >= maxFruitlessCalls;
  }

  #plan(step: Strategy, rejected: ReadonlySet<string>): PlanOutcome {
    const outcome = step.plan(this.#planInput(step, rejected), this.#parametersOf(step));
    return this.#range === null ? outcome : withinRange(outcome, this.#range, rejected);
  }

  #planInput(step: Strategy, rejected: ReadonlySet<string>): PlanInput {
    const { messages, tokens } = this.#context;
    const { contextWindow, trigger, isDue = false, conversation, state } = this.input;
    const hasBegun = step.room !== undefined && this.#records.length > 0;
    return {
      messages,
      tokens,
      contextWindow,
      trigger: isDue || this.choice.aim || hasBegun ? 'manual' : trigger,
      rejected,
      room: this.#room,
      floorTokens: this.#floorFor(step),
      sinceCompaction: sinceCompaction(messages, conversation, state),
      goalTokens: this.#goalTokens(),
    };
  }

  #goalTokens(): number {
    const { conversation, ledger, withoutCore } = this.input;
    const goal = standingGoal(this.#state, conversation);
    if (withoutCore || goal === null) return 0;
    const core = coreWithout(this.#state, conversation, this.#beneath, [goal.entryId]);
    const now = this.#context.tokens.byKind.core / this.#context.tokens.calibration;
    return core === null ? 0 : Math.max(0, tokensOfCore(core, ledger) - now);
  }

  #floorFor({ startsByCount }: Strategy): number {
    return startsByCount ? 0 : this.input.floorTokens;
  }

  #parametersOf({ name, defaults }: Strategy): Parameters {
    return { ...defaults, ...this.input.parameters[name] };
  }

  /**
   * Projects the context once for all blocks of a round, so that a run takes time linear in the entries. False if
   * another round would make no progress.
   */
  async #carryOutAll(step: Strategy, { plans, enoughAt = 0 }: Planned, rejected: Set<string>): Promise<boolean> {
    const before = this.#context.tokens;
    const rejectedBefore = rejected.size;
    const target = this.choice.aim ? (this.#room?.targetTokens ?? 0) : 0;
    const enough = Math.max(enoughAt, this.#floorFor(step), target);
    const made: CompactionRecord[] = [];
    let left = before.total;
    let next = 0;
    while (next < plans.length) {
      if (this.#isStoppedFor(step)) break;
      if (left <= enough) {
        if (!this.choice.aim)
          this.#notes.push(
            noteOf(step, localizable('stopped at {0} tokens, which is little enough.', Math.round(left))),
          );
        break;
      }
      this.input.signal.throwIfAborted();
      const tellText = (text: string) => this.#tell(step, made.length, plans.length, text);
      tellText('');
      const group = this.#groupOf(step, plans, next, left - enough);
      const calls = await this.#call(step, group, tellText);
      const records = this.#take(step, group, new Map(calls.flat()), rejected);
      for (const call of calls) this.#count(call);
      made.push(...records);
      for (const { tokensBefore, tokensAfter } of records) left -= (tokensBefore - tokensAfter) * before.calibration;
      next += calls.flat().length;
    }
    this.#state = foldJournal(made, this.#state);
    this.#context = this.#project();
    return left > enough && (made.length > 0 || rejected.size > rejectedBefore);
  }

  #tell(step: Strategy, done: number, of: number, text: string): void {
    this.input.onProgress?.({ strategy: step.name, done, of, text });
  }

  /** The next plans to carry out at once. */
  #groupOf(step: Strategy, plans: readonly CompactionPlan[], from: number, excess: number): readonly CompactionPlan[] {
    if (!this.#canShare(step)) return plans.slice(from, from + this.input.tools.summarizer.concurrency);
    return plans.slice(from, this.#endOfNeeded(plans, from, excess));
  }

  #canShare({ sharesCalls, write, withoutModel }: Strategy): boolean {
    const isAble = this.input.tools.summarizer.summarizeTogether !== undefined;
    return isAble && sharesCalls === true && !write && !withoutModel && !this.#isSharingBroken;
  }

  /** After the plans that save this many tokens, if each block is as long as it may be. At least one. */
  #endOfNeeded(plans: readonly CompactionPlan[], from: number, excess: number): number {
    let left = excess;
    let end = from;
    for (; end < plans.length && (left > 0 || end === from); end += 1) {
      const plan = plans[end];
      if (plan) left -= (replacedTokens(plan) - bodyLimit(plan)) * this.#context.tokens.calibration;
    }
    return end;
  }

  /** The calls that were made for the first of these plans, at least for one. Empty if they are to be tried one by one. */
  async #call(step: Strategy, plans: readonly CompactionPlan[], onText: OnText): Promise<Call[]> {
    if (!this.#canShare(step) || plans.length < 2) return await this.#callEach(step, plans, onText);
    const together = await this.#callTogether(step, plans, onText);
    return together ?? (await this.#callEach(step, plans.slice(0, 1), onText));
  }

  async #callEach(step: Strategy, plans: readonly CompactionPlan[], onText: OnText): Promise<Call[]> {
    return await Promise.all(
      plans.map(async (plan): Promise<Call> => [[plan, await this.#carryOut(step, plan, onText)]]),
    );
  }

  /**
   * One call for as many of the plans as fit into it, and then one for each plan whose part of the answer is missing or
   * broken. If the call comes to nothing, the run makes no further one of this kind. Null if only one plan fits.
   */
  async #callTogether(step: Strategy, plans: readonly CompactionPlan[], onText: OnText): Promise<Call[] | null> {
    const { tools, signal, clock } = this.input;
    const requests = plans.map((plan) => this.#requestFor(step, plan));
    const began = clock();
    const shared = await failureOr(
      signal,
      async () => await tools.summarizer.summarizeTogether?.(requests, signal, onText),
    );
    if (!shared) return null;
    if (shared instanceof ModelFailed) return this.#withoutSharing(step, shared);
    this.#addSpent(shared.tokensSpent);
    const durationMs = Math.round((clock() - began) / shared.summaries.length);
    const broken: CompactionPlan[] = [];
    const call: [CompactionPlan, CarriedOut][] = [];
    for (const [index, summary] of shared.summaries.entries()) {
      const [plan, request] = [plans[index], requests[index]];
      if (!plan || !request) continue;
      const outcome =
        summary && this.#outcomeOf(step, plan, request, { ...summary, writer: writerOf(tools.summarizer) }, durationMs);
      if (outcome && !isBroken(outcome)) call.push([plan, outcome]);
      else broken.push(plan);
    }
    if (call.length === 0) return this.#withoutSharing(step, null);
    const calls: Call[] = [call];
    for (const plan of broken) calls.push(...(await this.#callEach(step, [plan], onText)));
    return calls;
  }

  #withoutSharing(step: Strategy, failure: ModelFailed | null): Call[] {
    this.#isSharingBroken = true;
    if (failure) this.#failures.push(failure.wording);
    else
      this.#noteOnce(
        noteOf(
          step,
          localizable('the answer for several blocks could not be split, so each block takes its own call.'),
        ),
      );
    this.#countFruitless();
    return [];
  }

  /** Records are numbered in the order of the plans, not in the order in which they were written. */
  #take(
    step: Strategy,
    plans: readonly CompactionPlan[],
    outcomes: ReadonlyMap<CompactionPlan, CarriedOut>,
    rejected: Set<string>,
  ): CompactionRecord[] {
    const taken: CompactionRecord[] = [];
    for (const plan of plans) {
      const outcome = outcomes.get(plan);
      if (outcome?.kind === 'made') taken.push(this.#takeOne(step, plan, outcome.record));
      else if (outcome) rejected.add(planKey(plan));
      if (outcome?.kind === 'failed') this.#failures.push(outcome.failure.wording);
      if (outcome?.kind === 'rejected')
        this.#noteOnce(noteOf(step, localizable('a block was left out ({0}).', rejectionText(outcome))));
    }
    return taken;
  }

  #takeOne(step: Strategy, plan: CompactionPlan, made: CompactionRecord): CompactionRecord {
    const seq = this.input.state.lastSeq + 1 + this.#records.length;
    const record = { ...made, seq, run: this.#records[0]?.seq ?? seq };
    if (plan.note !== undefined) this.#noteOnce(noteOf(step, plan.note));
    this.#plans.push(plan);
    this.#records.push(record);
    return record;
  }

  #count(call: Call): void {
    const outcomes = call.map(([, outcome]) => outcome);
    if (outcomes.some(({ kind }) => kind === 'made')) this.#fruitless = 0;
    else if (outcomes.some((outcome) => outcome.kind === 'failed' || (outcome.kind === 'rejected' && outcome.byModel)))
      this.#countFruitless();
  }

  #countFruitless(): void {
    this.#fruitless += 1;
    if (this.#isStopped) this.#noteOnce(localizable('Stopped: {0} calls in a row came to nothing.', maxFruitlessCalls));
  }

  #noteOnce(note: LocalizableText): void {
    if (!this.#notes.some((known) => String(known) === String(note))) this.#notes.push(note);
  }

  async #carryOut(step: Strategy, plan: CompactionPlan, onText: OnText): Promise<CarriedOut> {
    const request = this.#requestFor(step, plan);
    const began = this.input.clock();
    const written = await failureOr(this.input.signal, () => this.#write(step, plan, request, onText));
    if (written instanceof ModelFailed) return { kind: 'failed', failure: written };
    this.#addSpent(written.tokensSpent);
    return this.#outcomeOf(step, plan, request, written, this.input.clock() - began);
  }

  #addSpent({ input, output }: WrittenBlock['tokensSpent']): void {
    this.#tokensSpent.input += input;
    this.#tokensSpent.output += output;
  }

  #outcomeOf(
    step: Strategy,
    plan: CompactionPlan,
    request: SummaryRequest,
    written: WrittenBlock,
    durationMs: number,
  ): Exclude<CarriedOut, { kind: 'failed' }> {
    const verdict = this.#judge(step, plan, request, written);
    if (verdict.kind === 'rejected') return { ...verdict, byModel: written.writer.model !== null };
    for (const claim of verdict.doubtful) {
      this.#noteOnce(noteOf(step, localizable('the summary says what nobody said: “{0}”', claim)));
    }
    return { kind: 'made', record: this.#recordOf(plan, request, written, verdict, durationMs) };
  }

  #requestFor(step: Strategy, plan: CompactionPlan): SummaryRequest {
    const { ledger, instructions, conversation } = this.input;
    return buildRequest(plan, {
      known: this.#known,
      instructions,
      core: this.input.withoutCore ? null : coreWithout(this.#state, conversation, this.#beneath, replacedIds(plan)),
      liveGoal: liveGoal(this.#context.messages),
      countTokens: ledger.countText,
      isExtract: !step.write && this.#summarizerOf(step).model === null,
    });
  }

  #summarizerOf({ withoutModel }: Strategy): Summarizer {
    const { tools } = this.input;
    return (withoutModel ? tools.withoutModel : undefined) ?? tools.summarizer;
  }

  /** A block that a strategy writes itself is verified, but not repaired. */
  #judge(step: Strategy, plan: CompactionPlan, request: SummaryRequest, written: WrittenBlock): Verdict {
    const { ledger, verification } = this.input;
    const prunes = blockForm(plan.summaryType).covers === 'results';
    return verify({
      mode: step.write || plan.unanchored ? 'report' : verification,
      request,
      body: withoutImpostors(written.body),
      elsewhere: prunes ? this.#textBeside(plan) : '',
      replaced: replacedEntries(request),
      isExtract: written.spans.length > 0,
      tokensBefore: replacedTokens(plan),
      limitTokens: plan.limitTokens ?? Number.POSITIVE_INFINITY,
      tokensOfBlock: (body) => tokensOfBlocks(plan, textOfBlock(plan, body), ledger),
    });
  }

  /** The run and its numbers are filled in when it is clear which of its blocks are made. */
  #recordOf(
    plan: CompactionPlan,
    request: SummaryRequest,
    written: WrittenBlock,
    { body, loss, repaired }: Accepted,
    durationMs: number,
  ): CompactionRecord {
    const { conversation, ledger, instructions, trigger } = this.input;
    const text = textOfBlock(plan, body);
    const newest = conversation.agentContext.at(-1);
    return {
      kind: 'compaction',
      seq: -1,
      time: this.input.now(),
      run: -1,
      runLength: 0,
      strategy: plan.strategy,
      parameters: plan.parameters,
      trigger,
      instructions,
      summarizer: written.writer,
      promptHash: written.promptHash,
      summaryType: plan.summaryType,
      turnCount: turnsBeneath(plan),
      entryIds: replacedIds(plan),
      swallowed: replacedMessages(plan).flatMap((message) => message.block?.seq ?? []),
      tokensBefore: replacedTokens(plan),
      tokensAfter: tokensOfBlocks(plan, text, ledger),
      tokensSpent: written.tokensSpent,
      durationMs,
      text,
      spans: written.spans,
      loss,
      displayLine: displayLine(plan, replacedEntries(request)),
      cacheTokensInvalidated: this.#cacheTokensInvalidated(plan),
      ...(newest === undefined ? {} : { newestEntryId: newest.id }),
      ...(plan.tier === undefined ? {} : { tier: plan.tier }),
      ...(plan.place === undefined ? {} : { place: plan.place }),
      ...(plan.entriesSummarized === undefined ? {} : { entriesSummarized: plan.entriesSummarized }),
      ...(plan.resultTexts === undefined ? {} : { resultTexts: plan.resultTexts }),
      ...(repaired.length === 0 ? {} : { repaired }),
      ...(written.memory === undefined ? {} : { memory: written.memory }),
    };
  }

  async #write(step: Strategy, plan: CompactionPlan, request: SummaryRequest, onText: OnText): Promise<WrittenBlock> {
    const { tools, signal } = this.input;
    const summarizer = this.#summarizerOf(step);
    if (step.write) return await step.write({ plan, request, remembered: this.#remembered(), tools, signal });
    const summary = await summarizer.summarize(request, signal, onText);
    return { ...summary, writer: writerOf(summarizer) };
  }

  /** Memories of the active blocks; a block over another one includes that one's memory. */
  #remembered(): Memory[] {
    return this.#state.compactions.flatMap(({ record, active }) => (active && record.memory ? [record.memory] : []));
  }

  /** Tokens from the first replaced message to the end of the context at the start of the run. */
  #cacheTokensInvalidated(plan: CompactionPlan): number {
    return Math.round((this.#tokensFrom.get(planKey(plan)) ?? 0) * this.#before.tokens.calibration);
  }

  /** The text of the context without the replaced messages. */
  #textBeside(plan: CompactionPlan): string {
    const replaced = new Set(replacedMessages(plan));
    const others = this.#context.messages.filter((message) => !replaced.has(message));
    return others.flatMap(({ parts }) => parts.map(readableText)).join('\n');
  }

  #project(): Context {
    const { conversation, ledger } = this.input;
    const overlay = overlayOf(this.#state, conversation);
    this.#beneath = new Set(overlay.blocks.flatMap((block) => block.entryIds));
    return project(conversation, this.input.withoutCore ? { ...overlay, core: null } : overlay, ledger);
  }
}

function tokensFromEach(messages: readonly ContextMessage[]): Map<string, number> {
  const from = new Map<string, number>();
  let tokens = 0;
  for (const message of [...messages].reverse()) {
    tokens += message.tokens;
    from.set(message.key, tokens);
  }
  return from;
}

function textOfBlock({ summaryType, introduction }: CompactionPlan, body: string): string {
  return blockText(summaryType, introduction === undefined ? body : `${introduction}\n\n${body}`);
}

/** Number of turns beneath the block; a replaced block counts as the turns that it replaced. */
function turnsBeneath({ turns }: CompactionPlan): number {
  return turns.reduce((total, { user, replaced }) => {
    const [first] = replaced;
    const isBlockOfTurns =
      user === null && first?.block && blockForm(first.block.metadata.summary_type).covers === 'turns';
    return total + (isBlockOfTurns ? (first.block?.metadata.turn_count ?? 1) : 1);
  }, 0);
}

function replacedIds(plan: CompactionPlan): string[] {
  return replacedMessages(plan).flatMap((message) => message.entryIds);
}

function writerOf({ name, model }: Summarizer): WrittenBlock['writer'] {
  return { name, model };
}

/** The failure of a model as a value. Rethrows every other error, and the signal's reason on abort. */
async function failureOr<T>(signal: AbortSignal, act: () => Promise<T>): Promise<T | ModelFailed> {
  try {
    return await act();
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof ModelFailed) return error;
    throw error;
  }
}

/** The model did not keep to the form of the answer, so the part may be good when it is written alone. */
function isBroken(outcome: CarriedOut): boolean {
  return outcome.kind === 'rejected' && (outcome.reason === 'empty' || outcome.reason === 'unstructured');
}

/** Tokens after compaction: a block is a single message; pruning keeps the number of messages. */
function tokensOfBlocks(plan: CompactionPlan, text: string, ledger: TokenLedger): number {
  if (blockForm(plan.summaryType).covers !== 'results') return ledger.ofParts([{ type: 'text', text }]);
  return replacedMessages(plan).reduce(
    (total, { key, parts }) =>
      total + ledger.ofParts(parts.map((part) => prunedPart(part, plan.resultTexts?.[key] ?? text))),
    0,
  );
}

function liveGoal(messages: readonly ContextMessage[]): string | null {
  const live = messages.findLast((message) => opensTurn(message));
  return live ? textOf(live.parts) : null;
}

type Planned = Extract<PlanOutcome, { kind: 'planned' }>;

type Accepted = Extract<Verdict, { kind: 'accepted' }>;

/** Plans that shared a call, with what came of them. */
type Call = readonly (readonly [CompactionPlan, CarriedOut])[];

type OnText = (text: string) => void;

type CarriedOut =
  | { readonly kind: 'made'; readonly record: CompactionRecord }
  | (Rejected & { readonly byModel: boolean })
  | { readonly kind: 'failed'; readonly failure: ModelFailed };

function noteOf({ title }: Strategy, sentence: LocalizableText): LocalizableText {
  return localizable('{0}: {1}', title, sentence);
}

function explain(outcome: Exclude<PlanOutcome, { kind: 'planned' }>): LocalizableText {
  switch (outcome.kind) {
    case 'nothing-to-compact':
      return localizable('there is nothing of that kind to compact.');
    case 'protected':
      return localizable('all of it is in the live turn or younger than the age line.');
    case 'too-small':
      return localizable('what there is would not get smaller.');
    case 'outside-range':
      return localizable('there is nothing of that kind in the chosen range that it may touch.');
    case 'not-triggered':
      return outcome.reason;
  }
}
