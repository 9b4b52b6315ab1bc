import type { ContextSize, Room } from '../block/plan';

/** Size of the context at which a run is done, unless the user chose another: half of the window. */
export const usualTarget = 0.5;

/** Share of the target for the newest steps; the rest is for the summaries, the core and the system prompt. */
export const mostOfTarget = 0.5;

/** Converts a size, which may be a share of the window, to tokens. */
export function sizeInTokens(size: number, contextWindow: number): number {
  return size <= 1 ? size * contextWindow : size;
}

/** The target in tokens for a context of this size. A share refers to what can be compacted. */
export function targetTokens(
  { contextWindow, contextTokens, fixedTokens, besideTokens }: ContextSize,
  target: number,
): Room['targetTokens'] {
  if (target > 1) return target;
  const ofContext = fixedTokens + target * (contextTokens - fixedTokens);
  const ofWindow = besideTokens + target * Math.max(0, contextWindow - besideTokens);
  return Math.round(Math.min(ofWindow, ofContext));
}
