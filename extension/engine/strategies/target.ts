import type { ContextSize, Room } from '../block/plan';

/**
 * The default value of a target, which stands for a size that depends on who writes
 * (docs/decisions/0046-the-target-depends-on-who-writes.md).
 */
export const targetByWriter = 0;

/** Shares of the window. Without a model more stays unchanged, because a block without a model says less. */
export const targetWithoutModel = 0.5;
const targetWithModel = 0.15;

/** To this share, output is cleared that can be fetched again. A model would leave as little. */
const clearedTarget = targetWithModel;

/** Share of the target for the newest steps; the rest is for the summaries, the core and the system prompt. */
export const mostOfTarget = 0.5;

interface TargetParameters {
  /** Up to 1 a share of the window, above 1 tokens; `targetByWriter`: depends on who writes. */
  readonly target: number;
  readonly keepRecentTokens: number;
}

/**
 * The chosen target. If none was chosen, the default for who writes: with a model, it has room for the newest steps, but is never above
 * the default without one.
 */
export function chosenTarget(
  { contextWindow, fixedTokens, besideTokens, asksModel }: ContextSize,
  { target, keepRecentTokens }: TargetParameters,
): number {
  if (target !== targetByWriter) return target;
  if (!asksModel) return targetWithoutModel;
  const least = (fixedTokens - besideTokens + keepRecentTokens) / Math.max(1, contextWindow - besideTokens);
  return Math.min(targetWithoutModel, Math.max(targetWithModel, least));
}

/** The size to which an automatic run clears output. Null if a model writes, or if a target was chosen. */
export function clearedTokens(size: ContextSize, target: number): number | null {
  return target !== targetByWriter || size.asksModel ? null : ofWindow(size, clearedTarget);
}

/** Converts a size, which may be a share of the window, to tokens. */
export function sizeInTokens(size: number, contextWindow: number): number {
  return size <= 1 ? size * contextWindow : size;
}

/** The target in tokens for a context of this size. A share refers to what can be compacted. */
export function targetTokens(size: ContextSize, target: number): Room['targetTokens'] {
  if (target > 1) return target;
  const { contextTokens, fixedTokens } = size;
  return Math.min(ofWindow(size, target), Math.round(fixedTokens + target * (contextTokens - fixedTokens)));
}

function ofWindow({ contextWindow, besideTokens }: ContextSize, share: number): number {
  return Math.round(besideTokens + share * Math.max(0, contextWindow - besideTokens));
}
