import {
  type CompactionPlan,
  type ContextSize,
  contextSize,
  excessTokens,
  type Parameters,
  type PlanInput,
  type PlanOutcome,
  planKey,
  type Room,
  replacedMessages,
  roomForOutput,
} from '../../block/plan';
import type { Strategy } from '../../block/strategy';
import { entriesInRange, withinRange } from '../../compaction/range';
import { rejectionText } from '../../compaction/verify';
import type { Context } from '../../conversation/context';
import { opensTurn } from '../../conversation/turns';
import { foldJournal } from '../../journal/journal-state';
import type { CompactionRecord } from '../../journal/records';
import { mostOfTarget } from '../../strategies/target';
import { amount, LocalizableError, type LocalizableText, localizable } from '../../wording/localizable-text';
import { BlockMaker, type CarriedOut, type MadeBlock } from './block-maker';
import { type Call, type Calls, ModelCalls, neededFor } from './model-calls';
import type { PreparedRun } from './prepared-run';
import { automaticRoomOf, findStrategy, roomOf, type StrategyChoice } from './registry';
import type { RunInput } from './run-input';
import { asWholeRun } from './run-loss';
import { explain, missedTargetNote, noteOf, RunNotes } from './run-notes';
import { goalTokens, type RunState, runStateOf } from './run-state';
import { sinceCompaction } from './since-compaction';

/** Consecutive failed calls or rejected summaries after which a run stops, because each call costs tokens. */
const maxFruitlessCalls = 3;

/** For more turns than this, a model writes one text for all of them: readers preferred that to a block for each turn. */
const mostBlocksOfRung = 8;

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
  if (run.continuesWithoutModel()) for (const step of choice.steps) await run.exhaust(step);
  run.noteOutcome();
  return run.prepared();
}

class Run {
  readonly #records: CompactionRecord[] = [];
  readonly #plans: CompactionPlan[] = [];
  readonly #notes = new RunNotes();
  readonly #failures: LocalizableText[] = [];
  /** Number of consecutive model calls without a usable result. */
  #fruitless = 0;
  /** A call for a block failed, or what it wrote was not usable. After a shared call, each block takes its own. */
  #hasFailed = false;
  readonly #before: Context;
  #maker: BlockMaker;
  #calls: ModelCalls;
  /** Ids of the entries that may be touched; null: all. */
  readonly #range: ReadonlySet<string> | null;
  readonly #room: Room | null;
  #state: RunState;

  constructor(
    readonly input: Omit<RunInput, 'strategy'>,
    readonly choice: StrategyChoice,
  ) {
    this.#state = runStateOf(input, input.state);
    this.#before = this.#state.context;
    this.#maker = new BlockMaker(input, this.#state);
    this.#calls = new ModelCalls(this.#maker, input);
    this.#room = this.#roomOf();
    this.#range = input.range ? entriesInRange(this.#before.messages, input.range) : null;
  }

  prepared(): PreparedRun {
    const { context: after } = this.#state;
    const { tokensSpent } = this.#maker;
    const whole = { strategy: this.choice.name, before: this.#before, after, tokensSpent };
    return {
      ...whole,
      ...asWholeRun(this.#records, whole, this.input),
      plans: this.#plans,
      notes: this.#notes.all,
      failures: this.#failures,
    };
  }

  /** Repeats planning rounds until a step has nothing left. Plans rejected in one round are not planned again. */
  async exhaust(step: Strategy): Promise<void> {
    const rejected = new Set<string>();
    const first = this.#records.length;
    while (!this.#isDoneFor(step) && !this.#isStoppedFor(step)) {
      const outcome = this.#plan(step, rejected);
      if (outcome.kind !== 'planned') {
        const madeNothing = this.#records.length === first && rejected.size === 0;
        if (madeNothing && !this.choice.aim) this.#notes.add(noteOf(step, explain(outcome)));
        return;
      }
      if (step.replacedByLater && !this.#reachesTarget(outcome)) return;
      const hasProgress = await this.#carryOutAll(step, outcome, rejected);
      if (!hasProgress) return;
    }
  }

  /**
   * Continues without a model after failed calls, because a person who asked for a compaction needs the room now. False if no call failed,
   * or if the caller has no summarizer without a model.
   */
  continuesWithoutModel(): boolean {
    const { summarizer, withoutModel } = this.input.tools;
    const isFailed = this.#hasFailed || this.#isStopped;
    if (!isFailed || this.#isDoneFor() || withoutModel === undefined || summarizer.model === null) return false;
    const input = { ...this.input, tools: { ...this.input.tools, summarizer: withoutModel, model: null } };
    const spent = this.#maker.tokensSpent;
    this.#maker = new BlockMaker(input, this.#state);
    this.#maker.addSpent(spent);
    this.#calls = new ModelCalls(this.#maker, input);
    this.#fruitless = 0;
    this.#notes.add(localizable('The model failed, so the rest is written without a model.'));
    return true;
  }

  /** Notes what the finished run leaves undone. */
  noteOutcome(): void {
    this.#noteShortfalls();
    const { context } = this.#state;
    const missed = missedTargetNote(this.choice, context, this.#room);
    if (missed !== null) this.#notes.add(missed);
  }

  /** Notes what exceeds the strategies' own parameters, unless a chosen range or a failure explains it. */
  #noteShortfalls(): void {
    if (this.#range !== null || this.#failures.length > 0) return;
    for (const step of this.choice.steps) {
      const sentence = step.shortfall?.(this.#planInput(step, new Set()), this.#parametersOf(step)) ?? null;
      if (sentence !== null) this.#notes.add(noteOf(step, sentence));
    }
  }

  /** A run without an aim may end at its target, but does not stop there. */
  #isDoneFor(step: Pick<Strategy, 'clears'> = {}): boolean {
    const stops = this.choice.aim !== undefined || this.input.targetTokens !== undefined;
    return stops && this.#state.context.tokens.total <= this.#targetOf(step);
  }

  /** 0 without a target. */
  #targetOf({ clears }: Pick<Strategy, 'clears'>): number {
    return (clears ? roomForOutput(this.#room) : this.#room)?.targetTokens ?? 0;
  }

  #roomOf(): Room | null {
    const { contextWindow, parameters, trigger } = this.input;
    const size = contextSize(this.#before.tokens, contextWindow, this.#asksModel());
    const room = this.#targetRoom(size);
    return trigger === 'automatic' ? automaticRoomOf(this.choice, size, parameters, room) : room;
  }

  #targetRoom(size: ContextSize): Room | null {
    const { choice } = this;
    const { contextWindow, parameters, targetTokens } = this.input;
    if (targetTokens === undefined) return roomOf(choice, size, parameters);
    const wholeWindow = { ...parameters, [choice.name]: { ...parameters[choice.name], target: contextWindow } };
    const { keepRecentTokens = Number.POSITIVE_INFINITY } = roomOf(choice, size, wholeWindow) ?? {};
    const most = targetTokens * mostOfTarget;
    return { targetTokens, keepRecentTokens: Math.min(keepRecentTokens, most), mostTokens: targetTokens };
  }

  /** Failing model calls stop only the steps that call a model. */
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
    const { messages, tokens } = this.#state.context;
    const { contextWindow, trigger, isDue = false, conversation, state, recallTool } = this.input;
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
      goalTokens: goalTokens(this.input, this.#state),
      ...(recallTool === undefined ? {} : { recallTool }),
      asksModel: this.#asksModel(step),
    };
  }

  /**
   * Whether the blocks of a rung, if they are few, reach the target. Without a model a block costs nothing, and in a range that a person
   * chose the later rungs may have nothing to replace.
   */
  #reachesTarget({ plans }: Planned): boolean {
    if (!this.#asksModel() || this.#isStopped || this.#range !== null) return true;
    const { tokens } = this.#state.context;
    const needed = neededFor(plans, excessTokens({ tokens, room: this.#room }) + this.#goalIn(plans));
    return needed !== null && needed <= mostBlocksOfRung;
  }

  /** Counted tokens by which the core may grow if these plans replace prompts: one of them may state the goal. */
  #goalIn(plans: readonly CompactionPlan[]): number {
    return plans.flatMap(replacedMessages).some(opensTurn) ? goalTokens(this.input, this.#state) : 0;
  }

  #asksModel({ withoutModel, write }: Pick<Strategy, 'withoutModel' | 'write'> = {}): boolean {
    const { tools, sizedForModel = false } = this.input;
    return (sizedForModel || tools.summarizer.model !== null) && !withoutModel && !write;
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
    const before = this.#state.context.tokens;
    const rejectedBefore = rejected.size;
    const target = this.choice.aim ? this.#targetOf(step) : 0;
    const enough = Math.max(enoughAt, this.#floorFor(step), target);
    const made: CompactionRecord[] = [];
    // Too few blocks would be followed by another call of the model for the rest.
    const largest = before.total + (this.#asksModel(step) ? this.#goalIn(plans) * before.calibration : 0);
    let left = largest;
    let next = 0;
    while (next < plans.length) {
      if (this.#isStoppedFor(step)) break;
      if (left <= enough) {
        if (!this.choice.aim)
          this.#notes.add(noteOf(step, localizable('stopped at {0} tokens, which is small enough.', amount(left))));
        break;
      }
      this.input.signal.throwIfAborted();
      const tellText = (text: string) => this.#tell(step, made.length, plans.length, text);
      tellText('');
      const group = this.#calls.groupOf(step, plans, next, (left - enough) / before.calibration);
      const calls = this.#callsMade(step, await this.#calls.call(step, group, tellText));
      const records = this.#take(step, group, new Map(calls.flat()), rejected);
      for (const call of calls) this.#count(call);
      made.push(...records);
      for (const { tokensBefore, tokensAfter } of records) left -= (tokensBefore - tokensAfter) * before.calibration;
      next += calls.flat().length;
    }
    this.#state = runStateOf(this.input, foldJournal(made, this.#state.journal));
    this.#maker.continueFrom(this.#state);
    return left > enough && (left < largest || rejected.size > rejectedBefore);
  }

  #tell(step: Strategy, done: number, of: number, text: string): void {
    this.input.onProgress?.({ strategy: step.name, done, of, text });
  }

  /** The calls that were made; none if a shared one failed. */
  #callsMade(step: Strategy, calls: Calls): readonly Call[] {
    if (calls.kind === 'made') return calls.calls;
    if (calls.failure) this.#failures.push(calls.failure.wording);
    else this.#notes.addOnce(noteOf(step, notSplit));
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
      if (outcome?.kind === 'made') taken.push(this.#takeOne(step, plan, outcome));
      else if (outcome) rejected.add(planKey(plan));
      if (outcome?.kind === 'failed') this.#failures.push(outcome.failure.wording);
      if (outcome?.kind === 'rejected') this.#notes.addOnce(noteOf(step, leftOut(outcome)));
    }
    return taken;
  }

  #takeOne(step: Strategy, plan: CompactionPlan, made: MadeBlock): CompactionRecord {
    const seq = this.input.state.lastSeq + 1 + this.#records.length;
    const record = { ...made.record, seq, run: this.#records[0]?.seq ?? seq };
    for (const claim of made.doubtful) {
      this.#notes.addOnce(noteOf(step, localizable('the summary states what is not in the record: “{0}”', claim)));
    }
    if (made.unknownNames.length > 0) {
      this.#notes.addOnce(
        noteOf(step, localizable('the summary names what the record does not: {0}.', made.unknownNames.join(', '))),
      );
    }
    if (plan.note !== undefined) this.#notes.addOnce(noteOf(step, plan.note));
    this.#plans.push(plan);
    this.#records.push(record);
    return record;
  }

  #count(call: Call): void {
    const outcomes = call.map(([, outcome]) => outcome);
    if (outcomes.some(({ kind }) => kind === 'made')) this.#fruitless = 0;
    else if (
      outcomes.some((outcome) => outcome.kind === 'failed' || (outcome.kind === 'rejected' && outcome.model !== null))
    ) {
      this.#hasFailed = true;
      this.#countFruitless();
    }
  }

  #countFruitless(): void {
    this.#fruitless += 1;
    if (this.#isStopped) this.#notes.addOnce(localizable('Stopped: {0} calls in a row failed.', maxFruitlessCalls));
  }
}

const notSplit = localizable('the answer for several blocks could not be split, so each block takes its own call.');

type Planned = Extract<PlanOutcome, { kind: 'planned' }>;

/** The message about a rejected block: who wrote it, and what to do. */
function leftOut(outcome: Extract<CarriedOut, { kind: 'rejected' }>): LocalizableText {
  const reason = rejectionText(outcome);
  if (outcome.model === null) return localizable('a block was left out ({0}).', reason);
  return localizable(
    'a block of {1} was left out ({0}). Try again, or choose another summarizer.',
    reason,
    outcome.model,
  );
}
