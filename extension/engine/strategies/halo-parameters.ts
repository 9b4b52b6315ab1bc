import type { ContextSize, PlanInput, PlanOutcome, Room } from '../block/plan';
import { isRaw } from '../block/strategy';
import { type ContextMessage, tokensOf } from '../conversation/context';
import { localizable } from '../wording/localizable-text';
import { chosenTarget, mostOfTarget, sizeInTokens, targetByWriter, targetTokens } from './target';

/** Shared by all strategies that replace the whole halo (docs/specification/strategies.md, "Checkpoint"). */
export const haloDefaults = {
  /** Tokens of the window to keep free; a compaction starts automatically when fewer are left. */
  reserveTokens: 16384,
  /** Tokens of the newest turns that stay unchanged; of the newest steps, where the live turn has to be cut. */
  keepRecentTokens: 20000,
  /** The size at which a run ends. Up to 1, a share of the window; above 1, tokens. 0: the size depends on who writes. */
  target: targetByWriter,
};

export type HaloParameters = typeof haloDefaults;

/** The parameters on which the start of a run and the length of a summary depend, for strategies that keep no tail in tokens. */
type ReserveParameters = Pick<HaloParameters, 'reserveTokens'>;

/** The largest context that does not start a compaction: see `checkpoint.trigger` in docs/specification.md. */
export function startsAtReserve(contextWindow: number, { reserveTokens }: ReserveParameters): number {
  return contextWindow - reserveTokens;
}

export function belowReserve(
  { trigger, tokens, contextWindow }: PlanInput,
  parameters: ReserveParameters,
): PlanOutcome | null {
  if (trigger === 'manual' || tokens.total > startsAtReserve(contextWindow, parameters)) return null;
  const left = contextWindow - tokens.total;
  return {
    kind: 'not-triggered',
    reason: localizable(
      '{0} tokens of the window are free; this starts by itself when fewer than {1} are.',
      left,
      parameters.reserveTokens,
    ),
  };
}

/** Tokens of the newest turns that stay: as set, but never more than half of what the context may have. */
export function keptTokens({ room }: PlanInput, { keepRecentTokens }: HaloParameters): number {
  return Math.min(keepRecentTokens, room?.keepRecentTokens ?? keepRecentTokens);
}

/** The target of a run. The recent part is reduced only in a window that is too small for it. */
export function roomOfHalo(size: ContextSize, parameters: HaloParameters): Room {
  const { keepRecentTokens } = parameters;
  const target = chosenTarget(size, parameters);
  const mostTokens = sizeInTokens(target, size.contextWindow);
  return {
    targetTokens: targetTokens(size, target),
    keepRecentTokens: Math.min(keepRecentTokens, mostTokens * mostOfTarget),
    mostTokens,
  };
}

/** Share of the reserve for the summary; the rest is for the prompt and a safety margin (`checkpoint.maxTokens`). */
const shareOfReserve = 0.8;

/** Maximum summary: a fifth of what it replaces, because a longer one saves little; half of a short text. */
const shareOfReplaced = 0.2;
/** The same for earlier blocks, which are continued and already short. */
const shareOfContinued = 0.9;
const shareOfLittle = 0.5;
const little = 400;

/** In counted tokens. Summaries that are shorter would hardly get smaller. */
export const largeSummary = 2 * little;

/** In a small window, a summary has at most this share of what the context may have. */
const shareOfMost = 0.25;

/** Tokens of the longest summary of these messages. */
export function longestSummary(
  replaced: readonly ContextMessage[],
  { reserveTokens }: ReserveParameters,
  room: Room | null,
): number {
  const tokens = tokensOf(replaced);
  const raw = tokensOf(replaced.filter(isRaw));
  const ofEarlier = (tokens - raw) * (raw > 0 ? shareOfContinued : shareOfReplaced);
  const ofLittle = Math.min(little, tokens * shareOfLittle);
  const wanted = Math.round(Math.max(ofLittle, raw * shareOfReplaced + ofEarlier));
  const ofRoom = room === null ? wanted : Math.max(little, Math.floor(room.mostTokens * shareOfMost));
  return Math.min(Math.floor(reserveTokens * shareOfReserve), wanted, ofRoom);
}

/** Whether the run must continue even if the strategy itself would stop. */
export function isTooLarge({ room, tokens }: PlanInput): boolean {
  return room !== null && tokens.total > room.mostTokens;
}
