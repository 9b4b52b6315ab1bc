import { contextSize, type Parameters, type PlanOutcome, replacedTokens } from '../../block/plan';
import type { Strategy } from '../../block/strategy';
import type { Context } from '../../conversation/context';
import { sum } from '../../conversation/whole-tokens';
import { freedTokens } from '../../strategies/result-texts';
import { sizeInTokens } from '../../strategies/target';
import type { ClearedContext } from '../automation/schedule';
import { automaticRoomOf, roomOf, type StrategyChoice, untouchedFrom } from './registry';

interface SizesInput {
  readonly strategy: StrategyChoice;
  readonly parameters: Readonly<Record<string, Parameters>>;
  readonly context: Context;
  readonly contextWindow: number;
  /** A model writes the blocks. Default: false. */
  readonly asksModel?: boolean;
  /** Up to 1 a share of the window, above 1 tokens. Absent: the strategy's own target. */
  readonly smallestTarget?: number;
}

/**
 * Context sizes in tokens that a run could reach. With a target: the target and its halves down to the smallest, but
 * not below what no run touches. Without: the size that its present plan leaves.
 */
export function compactionSizes(input: SizesInput, planOf: (step: Strategy) => PlanOutcome): readonly number[] {
  const { strategy, parameters, context, contextWindow, asksModel = false, smallestTarget } = input;
  const { tokens, messages } = context;
  if (!strategy.aim) return sizeAsPlanned(strategy, context, planOf);
  const size = contextSize(tokens, contextWindow, asksModel);
  const { fixedTokens } = size;
  // The target for a full window. In a smaller context, the target would be smaller.
  const target = roomOf(strategy, { ...size, contextTokens: contextWindow }, parameters)?.targetTokens ?? contextWindow;
  const from = untouchedFrom(strategy, { messages, floorTokens: 0 }, parameters);
  const untouched = sum(tokens.ofMessages.slice(from));
  return halvesOf(target, smallestTarget === undefined ? target : sizeInTokens(smallestTarget, contextWindow)).map(
    (tokensLeft) => Math.max(tokensLeft, fixedTokens + untouched),
  );
}

/** The context after an automatic run that only clears output. Undefined if output is not cleared below the target. */
export function clearedContext(
  { strategy, parameters, context, contextWindow, asksModel = false }: SizesInput,
  planOf: (step: Strategy) => PlanOutcome,
): ClearedContext | undefined {
  const { messages, tokens } = context;
  const size = contextSize(tokens, contextWindow, asksModel);
  const { clearing } = automaticRoomOf(strategy, size, parameters) ?? {};
  if (!clearing) return undefined;
  const outcomes = strategy.steps.filter(({ clears }) => clears).map(planOf);
  const plans = outcomes.flatMap((outcome) => (outcome.kind === 'planned' ? outcome.plans : []));
  const texts = new Map(plans.flatMap(({ resultTexts = {} }) => Object.entries(resultTexts)));
  const cleared = messages.flatMap((message, at) => {
    const text = texts.get(message.key);
    return text === undefined ? [] : [{ at, freed: freedTokens(message, text) }];
  });
  const freed = sum(cleared.map((one) => one.freed));
  const keptTokens = tokens.derivedSystem + sum(tokens.ofMessages.slice(0, cleared[0]?.at));
  return { tokens: Math.max(clearing.targetTokens, tokens.total - freed * tokens.calibration), keptTokens };
}

function halvesOf(target: number, smallest: number): number[] {
  const sizes = [target];
  for (let size = target / 2; size >= Math.max(1, smallest); size /= 2) sizes.push(size);
  return sizes;
}

function sizeAsPlanned(
  { steps }: StrategyChoice,
  { tokens }: Context,
  planOf: (step: Strategy) => PlanOutcome,
): number[] {
  for (const step of steps) {
    const outcome = planOf(step);
    if (outcome.kind !== 'planned') continue;
    const taken = outcome.plans.map((plan) => replacedTokens(plan) - (plan.limitTokens ?? plan.maxTokens ?? 0));
    return [tokens.total - tokens.calibration * sum(taken)];
  }
  return [];
}
