import { failureOr, ModelFailed } from '../../block/language-model';
import type { Memory } from '../../block/memory';
import { type CompactionPlan, planKey, replacedMessages, replacedTokens } from '../../block/plan';
import type { Strategy, WrittenBlock } from '../../block/strategy';
import type { Summarizer, SummaryRequest } from '../../block/summary';
import { displayLine } from '../../compaction/display-line';
import { withoutImpostors } from '../../compaction/impostors';
import { buildRequest, entriesById, type KnownEntries, replacedEntries } from '../../compaction/request';
import { type Rejected, type Verdict, verify } from '../../compaction/verify';
import { blockOf, type ContextMessage, coversResults, coversTurns } from '../../conversation/context';
import { textOf } from '../../conversation/entry';
import { blockText, prunedPart } from '../../conversation/projection';
import type { TokenLedger } from '../../conversation/tokens';
import { opensTurn } from '../../conversation/turns';
import { excludedEntries, isExclusion } from '../../journal/excluded';
import { isByModel } from '../../journal/journal-state';
import { activeOriginalGoal, coreWithout } from '../../journal/overlay';
import type { CompactionRecord } from '../../journal/records';
import type { RunInput } from './run-input';
import { goalTokens, type RunState } from './run-state';

export type MakerInput = Pick<
  RunInput,
  | 'conversation'
  | 'state'
  | 'ledger'
  | 'tools'
  | 'instructions'
  | 'trigger'
  | 'verification'
  | 'withoutCore'
  | 'recallTool'
  | 'signal'
  | 'now'
  | 'clock'
>;

/** The outcome of a plan. */
export type CarriedOut =
  | MadeBlock
  /** `model` wrote it; null if none did. */
  | (Rejected & { readonly model: string | null })
  | { readonly kind: 'failed'; readonly failure: ModelFailed };

export interface MadeBlock {
  readonly kind: 'made';
  /** Its number and its run are filled in when it is clear which blocks of the run are made. */
  readonly record: CompactionRecord;
  /** Rules that the summary attributes to the person without support in what they said. */
  readonly doubtful: readonly string[];
  /** Files and commands that the summary names and the record does not. */
  readonly unknownNames: readonly string[];
}

export type OnText = (text: string) => void;

/** Makes the blocks of one run: has them written, judges them, and makes records of them. */
export class BlockMaker {
  #tokensSpent = { input: 0, output: 0 };
  readonly #known: KnownEntries;
  readonly #before: RunState;
  /** By message key: the tokens from that message to the end of the context before the run. */
  readonly #tokensFrom: ReadonlyMap<string, number>;
  /** The state with the blocks that are made so far. */
  #current: RunState;

  constructor(
    private readonly input: MakerInput,
    before: RunState,
  ) {
    this.#known = entriesById(input.conversation, excludedEntries(input.state, input.conversation));
    this.#before = before;
    this.#current = before;
    this.#tokensFrom = tokensFromEach(before.context.messages);
  }

  get tokensSpent(): WrittenBlock['tokensSpent'] {
    return this.#tokensSpent;
  }

  /** Further blocks are made for this state. */
  continueFrom(state: RunState): void {
    this.#current = state;
  }

  async carryOut(step: Strategy, plan: CompactionPlan, onText: OnText): Promise<CarriedOut> {
    const request = this.requestFor(step, plan);
    const began = this.input.clock();
    const written = await failureOr(this.input.signal, () => this.#write(step, plan, request, onText));
    if (written instanceof ModelFailed) return { kind: 'failed', failure: written };
    this.addSpent(written.tokensSpent);
    return this.outcomeOf(step, plan, request, written, this.input.clock() - began);
  }

  requestFor(step: Strategy, plan: CompactionPlan): SummaryRequest {
    const { ledger, instructions, conversation, recallTool } = this.input;
    return buildRequest(plan, {
      known: this.#known,
      isByModel: (seq) => isByModel(this.#current.journal, seq),
      instructions,
      core: this.input.withoutCore
        ? null
        : coreWithout(this.#current.journal, conversation, this.#current.coveredIds, replacedIds(plan)),
      liveGoal: liveGoal(this.#current.context.messages),
      context: conversation.agentContext,
      countTokens: ledger.countText,
      ...(recallTool === undefined ? {} : { recallTool }),
      isExtract: !step.write && this.#summarizerOf(step).model === null,
    });
  }

  /** The outcome of a block that is written: judged, and as a record. */
  outcomeOf(
    step: Strategy,
    plan: CompactionPlan,
    request: SummaryRequest,
    written: WrittenBlock,
    durationMs: number,
  ): Exclude<CarriedOut, { kind: 'failed' }> {
    const verdict = this.#judge(step, plan, request, written);
    if (verdict.kind === 'rejected') return { ...verdict, model: written.writer.model };
    const record = this.#recordOf(plan, request, written, verdict, durationMs);
    return { kind: 'made', record, doubtful: verdict.doubtful, unknownNames: verdict.unknownNames };
  }

  addSpent({ input, output }: WrittenBlock['tokensSpent']): void {
    this.#tokensSpent.input += input;
    this.#tokensSpent.output += output;
  }

  #summarizerOf({ withoutModel }: Strategy): Summarizer {
    const { tools } = this.input;
    return (withoutModel ? tools.withoutModel : undefined) ?? tools.summarizer;
  }

  /** A block that a strategy writes itself is verified, but not repaired. */
  #judge(step: Strategy, plan: CompactionPlan, request: SummaryRequest, written: WrittenBlock): Verdict {
    const { ledger, verification } = this.input;
    return verify({
      mode: verification !== 'unchecked' && (step.write || plan.unanchored) ? 'report' : verification,
      request,
      body: withoutImpostors(written.body),
      replaced: replacedEntries(request),
      isExtract: written.writer.model === null,
      tokensBefore: replacedTokens(plan) - this.#coreGrowth(plan),
      limitTokens: plan.limitTokens ?? Number.POSITIVE_INFINITY,
      tokensOfBlock: (body) => tokensOfBlocks(plan, textOfBlock(plan, body), ledger),
    });
  }

  /**
   * Counted tokens by which the plan grows the core, which then states the goal of a replaced message. A person may
   * exclude that message whatever it saves.
   */
  #coreGrowth(plan: CompactionPlan): number {
    if (isExclusion(plan)) return 0;
    const goal = activeOriginalGoal(this.#current.journal, this.input.conversation);
    return goal !== null && replacedIds(plan).includes(goal.entryId) ? goalTokens(this.input, this.#current) : 0;
  }

  #recordOf(
    plan: CompactionPlan,
    request: SummaryRequest,
    written: WrittenBlock,
    { body, repaired }: Accepted,
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
      loss: null,
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
    return this.#current.journal.compactions.flatMap(({ record, active }) =>
      active && record.memory ? [record.memory] : [],
    );
  }

  /** Tokens from the first replaced message to the end of the context at the start of the run. */
  #cacheTokensInvalidated(plan: CompactionPlan): number {
    return Math.round((this.#tokensFrom.get(planKey(plan)) ?? 0) * this.#before.context.tokens.calibration);
  }
}

export function writerOf({ name, model }: Summarizer): WrittenBlock['writer'] {
  return { name, model };
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

/** Number of turns beneath the block; a replaced block counts as many turns as it replaced. */
function turnsBeneath({ turns }: CompactionPlan): number {
  return turns.reduce((total, { user, replaced }) => {
    const [first] = replaced;
    const block = user === null && first !== undefined ? blockOf(first) : undefined;
    const isOfTurns = block !== undefined && coversTurns(block.metadata.summary_type);
    return total + (isOfTurns ? block.metadata.turn_count : 1);
  }, 0);
}

function replacedIds(plan: CompactionPlan): string[] {
  return replacedMessages(plan).flatMap((message) => message.entryIds);
}

/** Tokens after compaction: a block is a single message; pruning keeps the number of messages. */
function tokensOfBlocks(plan: CompactionPlan, text: string, ledger: TokenLedger): number {
  if (!coversResults(plan.summaryType)) return ledger.ofParts([{ type: 'text', text }]);
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

type Accepted = Extract<Verdict, { kind: 'accepted' }>;
