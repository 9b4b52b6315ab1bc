import { failureOr, ModelFailed } from '../../block/language-model';
import { type CompactionPlan, replacedTokens } from '../../block/plan';
import type { Strategy } from '../../block/strategy';
import { bodyLimit } from '../../compaction/request';
import { type BlockMaker, type CarriedOut, type MakerInput, type OnText, writerOf } from './block-maker';

/** Plans that shared a call, with their outcomes. */
export type Call = readonly (readonly [CompactionPlan, CarriedOut])[];

export type Calls =
  | { readonly kind: 'made'; readonly calls: readonly Call[] }
  /** The shared call failed, or no part of its answer was usable. The plans are to be tried one by one. */
  | { readonly kind: 'not-shared'; readonly failure: ModelFailed | null };

/** How the plans of a run are distributed over model calls: one call for each, or one for as many as fit. */
export class ModelCalls {
  /** The model does not follow the format of a shared answer, or cannot write that much. */
  #isSharingBroken = false;

  constructor(
    private readonly maker: BlockMaker,
    private readonly input: Pick<MakerInput, 'tools' | 'signal' | 'clock'>,
  ) {}

  /** The next plans to carry out at once, as many as are needed to save this many tokens. */
  groupOf(step: Strategy, plans: readonly CompactionPlan[], from: number, excess: number): readonly CompactionPlan[] {
    if (!this.#canShare(step)) return plans.slice(from, from + this.input.tools.summarizer.concurrency);
    return plans.slice(from, endOfNeeded(plans, from, excess));
  }

  #canShare({ sharesCalls, write, withoutModel }: Strategy): boolean {
    const isAble = this.input.tools.summarizer.summarizeTogether !== undefined;
    return isAble && sharesCalls === true && !write && !withoutModel && !this.#isSharingBroken;
  }

  /** Makes calls for the first of these plans, at least for one. */
  async call(step: Strategy, plans: readonly CompactionPlan[], onText: OnText): Promise<Calls> {
    if (this.#canShare(step) && plans.length > 1) {
      const together = await this.#callTogether(step, plans, onText);
      return together ?? { kind: 'made', calls: await this.#callEach(step, plans.slice(0, 1), onText) };
    }
    return { kind: 'made', calls: await this.#callEach(step, plans, onText) };
  }

  async #callEach(step: Strategy, plans: readonly CompactionPlan[], onText: OnText): Promise<Call[]> {
    return await Promise.all(
      plans.map(async (plan): Promise<Call> => [[plan, await this.maker.carryOut(step, plan, onText)]]),
    );
  }

  /**
   * One call for as many of the plans as fit into it, and then one for each plan whose part of the answer is missing or
   * broken. If the shared call fails, the run makes no further shared calls. Null if only one plan fits.
   */
  async #callTogether(step: Strategy, plans: readonly CompactionPlan[], onText: OnText): Promise<Calls | null> {
    const { tools, signal, clock } = this.input;
    const requests = plans.map((plan) => this.maker.requestFor(step, plan));
    const began = clock();
    const shared = await failureOr(
      signal,
      async () => await tools.summarizer.summarizeTogether?.(requests, signal, onText),
    );
    if (!shared) return null;
    if (shared instanceof ModelFailed) return this.#notShared(shared);
    this.maker.addSpent(shared.tokensSpent);
    const durationMs = Math.round((clock() - began) / shared.summaries.length);
    const writer = writerOf(tools.summarizer);
    const broken: CompactionPlan[] = [];
    const call: [CompactionPlan, CarriedOut][] = [];
    for (const [index, summary] of shared.summaries.entries()) {
      const [plan, request] = [plans[index], requests[index]];
      if (!plan || !request) continue;
      const outcome = summary && this.maker.outcomeOf(step, plan, request, { ...summary, writer }, durationMs);
      if (outcome && !isBroken(outcome)) call.push([plan, outcome]);
      else broken.push(plan);
    }
    if (call.length === 0) return this.#notShared(null);
    const calls: Call[] = [call];
    for (const plan of broken) calls.push(...(await this.#callEach(step, [plan], onText)));
    return { kind: 'made', calls };
  }

  #notShared(failure: ModelFailed | null): Calls {
    this.#isSharingBroken = true;
    return { kind: 'not-shared', failure };
  }
}

/**
 * The number of plans needed to save this many counted tokens, assuming that each block has its maximum length; null if all of them do not
 * save that many.
 */
export function neededFor(plans: readonly CompactionPlan[], excess: number): number | null {
  const needed = endOfNeeded(plans, 0, excess);
  return savedBy(plans.slice(0, needed)) >= excess ? needed : null;
}

/** Index after the plans needed to save this many counted tokens, at least one plan. */
function endOfNeeded(plans: readonly CompactionPlan[], from: number, excess: number): number {
  let left = excess;
  let end = from;
  for (; end < plans.length && (left > 0 || end === from); end += 1) left -= savedBy(plans.slice(end, end + 1));
  return end;
}

function savedBy(plans: readonly CompactionPlan[]): number {
  return plans.reduce((total, plan) => total + replacedTokens(plan) - bodyLimit(plan), 0);
}

/** The model did not follow the answer's format, so this part may succeed when it is written alone. */
function isBroken(outcome: CarriedOut): boolean {
  return outcome.kind === 'rejected' && (outcome.reason === 'empty' || outcome.reason === 'unstructured');
}
