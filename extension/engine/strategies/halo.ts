import type { CompactionPlan, Parameters, PlanInput, PlannedTurn, PlanOutcome } from '../block/plan';
import { type AgeInput, counted, smallestWorthwhile, tokensOf } from '../block/strategy';
import type { ContextMessage } from '../conversation/context';
import { openerOf, type Segment, segmentsOf } from '../conversation/turns';

/** Shared by all strategies that replace the whole halo (docs/specification.md, "Checkpoint"). */
export const haloDefaults = {
  /** Tokens of the window to keep free; a compaction starts automatically when fewer are left. */
  reserveTokens: 16384,
  /** Tokens of the newest turns that stay unchanged. The live turn stays whatever its size. */
  keepRecentTokens: 20000,
};

export type HaloParameters = typeof haloDefaults;

export interface HaloOptions<P extends HaloParameters & Parameters> {
  readonly strategy: string;
  readonly parameters: P;
  readonly summaryType: string;
  readonly sections: CompactionPlan['sections'];
  /** Further fields of the plan: an introduction, the block's place. */
  readonly details?: Pick<CompactionPlan, 'introduction' | 'place' | 'unanchored'>;
  /** The kept tail starts at this index at the earliest. */
  readonly keepFrom?: number;
  /** The messages of an old turn that are replaced. Absent: all of them. */
  readonly replacedOf?: (turn: readonly ContextMessage[]) => readonly ContextMessage[];
}

/**
 * Plans one block for everything between the system prompt and the kept tail. Cuts fall only before a user message, so
 * that no result is separated from its call. The block replaces earlier blocks and an agent's summary as well.
 */
export function planHalo<P extends HaloParameters & Parameters>(
  input: PlanInput,
  options: HaloOptions<P>,
): PlanOutcome {
  const { messages } = input;
  const { parameters, replacedOf = (turn) => turn } = options;
  const waiting = belowReserve(input, parameters);
  if (waiting) return waiting;
  const old = beforeTail(input, parameters.keepRecentTokens, options.keepFrom);
  const turns = old.flatMap((segment): PlannedTurn[] => {
    const replaced = replacedOf(haloOf(messages, segment));
    return replaced.length === 0 ? [] : [{ user: openerOf(messages, segment), replaced }];
  });
  const replaced = turns.flatMap((turn) => turn.replaced);
  if (!replaced.some(isRaw)) return { kind: messages.some(isRaw) ? 'protected' : 'nothing-to-compact' };
  const tokens = tokensOf(replaced);
  if (tokens < smallestWorthwhile || input.rejected.has(replaced[0]?.key ?? '')) return { kind: 'too-small' };
  const plan: CompactionPlan = {
    strategy: options.strategy,
    parameters,
    summaryType: options.summaryType,
    sections: options.sections,
    turns,
    reason: `Everything before the newest turns: ${counted(replaced.length, 'message')}, ${tokens} tokens.`,
    maxTokens: longestSummary(tokens, parameters),
    ...options.details,
  };
  return { kind: 'planned', plans: [plan] };
}

/** Share of the reserve for the summary; the rest is for the prompt and a safety margin (`checkpoint.maxTokens`). */
const shareOfReserve = 0.8;

/** Maximum summary: a fifth of what it replaces, because a longer one saves little; half of a short text. */
const shareOfReplaced = 0.2;
const shareOfLittle = 0.5;
const little = 400;

function longestSummary(replacedTokens: number, { reserveTokens }: HaloParameters): number {
  const ofLittle = Math.min(little, replacedTokens * shareOfLittle);
  const wanted = Math.round(Math.max(ofLittle, replacedTokens * shareOfReplaced));
  return Math.min(Math.floor(reserveTokens * shareOfReserve), wanted);
}

/** The largest context that does not start a compaction: see `checkpoint.trigger` in docs/specification.md. */
export function startsAtReserve(contextWindow: number, { reserveTokens }: HaloParameters): number {
  return contextWindow - reserveTokens;
}

export function belowReserve(
  { trigger, tokens, contextWindow }: PlanInput,
  parameters: HaloParameters,
): PlanOutcome | null {
  if (trigger === 'manual' || tokens.total > startsAtReserve(contextWindow, parameters)) return null;
  const left = contextWindow - tokens.total;
  return {
    kind: 'not-triggered',
    reason: `${left} tokens of the window are free; this starts by itself when fewer than ${parameters.reserveTokens} are.`,
  };
}

/**
 * The segments before the kept tail. The tail is the live turn with as many preceding turns as fit into `keepTokens`,
 * or more while the tail is below the floor; it starts at `keepFrom` at the earliest.
 */
export function beforeTail({ messages, floorTokens }: AgeInput, keepTokens: number, keepFrom = 0): Segment[] {
  const segments = segmentsOf(messages);
  let first = segments.length - 1;
  let kept = tokensOfSegment(messages, segments[first]);
  while (first > 0) {
    const older = segments[first - 1];
    const withOlder = kept + tokensOfSegment(messages, older);
    if (!older || older.start < keepFrom || (withOlder > keepTokens && kept >= floorTokens)) break;
    kept = withOlder;
    first -= 1;
  }
  return segments.slice(0, Math.max(0, first));
}

/** Index of the first message of the kept tail. */
export function startOfTail(input: AgeInput, { keepRecentTokens }: HaloParameters): number {
  return beforeTail(input, keepRecentTokens).at(-1)?.end ?? 0;
}

function tokensOfSegment(messages: readonly ContextMessage[], segment: Segment | undefined): number {
  return segment ? tokensOf(messages.slice(segment.start, segment.end)) : 0;
}

/** The messages of a segment that compaction may touch. */
export function haloOf(messages: readonly ContextMessage[], { start, end }: Segment): ContextMessage[] {
  return messages.slice(start, end).filter(({ kind }) => kind !== 'system' && kind !== 'core');
}

/** True for a message of the conversation that is not a summary: summaries alone are not summarised again. */
export function isRaw({ kind, block }: ContextMessage): boolean {
  return !block && kind !== 'summary' && kind !== 'system' && kind !== 'core';
}
