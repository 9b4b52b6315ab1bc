import type { CompactionPlan, ContextSize, Parameters, PlanInput, PlannedTurn, PlanOutcome, Room } from '../block/plan';
import { sections } from '../block/sections';
import { type AgeInput, counted, smallestWorthwhile, tokensOf } from '../block/strategy';
import { shareOfBody } from '../compaction/request';
import type { ContextMessage } from '../conversation/context';
import { startOfNewest, untouchableOf } from '../conversation/steps';
import { openerOf, type Segment, segmentsOf } from '../conversation/turns';
import { mostOfTarget, sizeInTokens, targetTokens, usualTarget } from './target';

/** Shared by all strategies that replace the whole halo (docs/specification.md, "Checkpoint"). */
export const haloDefaults = {
  /** Tokens of the window to keep free; a compaction starts automatically when fewer are left. */
  reserveTokens: 16384,
  /** Tokens of the newest turns that stay unchanged; of the newest steps, where the live turn has to be cut. */
  keepRecentTokens: 20000,
  /** The size at which a run is done: a share of the window up to 1, tokens above. */
  target: usualTarget,
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
  /** Tokens of the newest steps that stay where the live turn is cut. Absent: as many as of the newest turns. */
  readonly keepSteps?: number;
  /** The messages of an old turn that are replaced. Absent: all of them. */
  readonly replacedOf?: (turn: readonly ContextMessage[]) => readonly ContextMessage[];
}

/**
 * Plans one block for everything between the system prompt and the kept tail. If that is not enough, plans one for old
 * steps of the live turn. If the context is still too large, plans one for the summaries alone.
 */
export function planHalo<P extends HaloParameters & Parameters>(
  input: PlanInput,
  options: HaloOptions<P>,
): PlanOutcome {
  const waiting = belowReserve(input, options.parameters);
  if (waiting) return waiting;
  const before = planBeforeTail(input, options);
  if (before.kind === 'planned') return before;
  return planOldSteps(input, options) ?? planSummaries(input, options) ?? before;
}

export function isTooLarge({ room, tokens }: PlanInput): boolean {
  return room !== null && tokens.total > room.mostTokens;
}

/** A summary alone is not summarised again, unless the context is too large with it. */
function planSummaries<P extends HaloParameters & Parameters>(
  input: PlanInput,
  options: HaloOptions<P>,
): PlanOutcome | null {
  if (!isTooLarge(input)) return null;
  const outcome = planBeforeTail(input, options, largeSummary);
  return outcome.kind === 'planned' ? outcome : null;
}

/**
 * Cuts before a user message, so that no result is separated from its call. The block replaces earlier blocks and an
 * agent's summary as well.
 */
function planBeforeTail<P extends HaloParameters & Parameters>(
  input: PlanInput,
  options: HaloOptions<P>,
  largestSummary = Number.POSITIVE_INFINITY,
): PlanOutcome {
  const { messages } = input;
  const { parameters, replacedOf = (turn) => turn } = options;
  const old = beforeTail(input, keptTokens(input, parameters), options.keepFrom);
  const turns = old.flatMap((segment): PlannedTurn[] => {
    const replaced = replacedOf(haloOf(messages, segment));
    return replaced.length === 0 ? [] : [{ user: openerOf(messages, segment), replaced }];
  });
  const replaced = turns.flatMap((turn) => turn.replaced);
  const tokens = tokensOf(replaced);
  if (!replaced.some(isRaw) && tokens <= largestSummary)
    return { kind: messages.some(isRaw) ? 'protected' : 'nothing-to-compact' };
  if (tokens < smallestWorthwhile || input.rejected.has(replaced[0]?.key ?? '')) return { kind: 'too-small' };
  const plan: CompactionPlan = {
    strategy: options.strategy,
    parameters,
    summaryType: options.summaryType,
    sections: options.sections,
    turns,
    reason: `Everything before the newest turns: ${counted(replaced.length, 'message')}, ${tokens} tokens.`,
    maxTokens: longestSummary(tokens, parameters, input.room),
    ...options.details,
  };
  return { kind: 'planned', plans: [plan] };
}

export interface StepsOptions<P extends HaloParameters & Parameters> {
  readonly strategy: string;
  readonly parameters: P;
  /** Empty for running text. */
  readonly sections: CompactionPlan['sections'];
  readonly details?: Pick<CompactionPlan, 'unanchored'>;
  /** Tokens of the newest steps that stay; as many as of the newest turns, unless said otherwise. */
  readonly keepSteps?: number;
}

/**
 * One block for the old steps of the live turn, behind its prompt. Only where the context is above the target although
 * nothing before the kept tail is left to replace; null otherwise.
 */
export function planOldSteps<P extends HaloParameters & Parameters>(
  input: PlanInput,
  options: StepsOptions<P>,
): PlanOutcome | null {
  const { messages, room, rejected } = input;
  if (room === null || input.tokens.total <= room.targetTokens) return null;
  const { strategy, parameters, keepSteps = parameters.keepRecentTokens } = options;
  const live = segmentsOf(messages).at(-1);
  if (!live) return null;
  const spare = spareTokens(input, live);
  const kept = Math.max(input.floorTokens, Math.min(keepSteps, spare / 2));
  const cut = startOfNewest(messages, kept);
  const replaced = stepsBetween(messages, live.start, cut);
  const tokens = tokensOf(replaced);
  if (!replaced.some(isRaw) || tokens < smallestWorthwhile || rejected.has(replaced[0]?.key ?? '')) return null;
  const left = spare - tokensOf(messages.slice(cut));
  const plan: CompactionPlan = {
    strategy,
    parameters,
    summaryType: 'conversation',
    sections: options.sections.length === 0 ? [] : sections.conversation,
    turns: [{ user: openerOf(messages, live), replaced }],
    tier: 'steps',
    reason: `Old steps of the live turn: ${counted(replaced.length, 'message')}, ${tokens} tokens.`,
    note: cutBetweenSteps(room),
    maxTokens: Math.min(longestSummary(tokens, parameters, room), Math.max(little, Math.floor(left * shareOfBody))),
    ...options.details,
  };
  return { kind: 'planned', plans: [plan] };
}

/** Counted tokens that the steps of the live turn may have, their block included, so that the context is not too large. */
function spareTokens({ messages, room, tokens }: PlanInput, live: Segment): number {
  const steps = tokensOf(stepsBetween(messages, live.start, messages.length));
  return Math.max(0, ((room?.mostTokens ?? 0) - tokens.total) / tokens.calibration + steps);
}

/** What the agent said and did between these places, blocks over it included, without open calls. */
export function stepsBetween(messages: readonly ContextMessage[], start: number, end: number): ContextMessage[] {
  const { has, newestStep } = untouchableOf(messages);
  return messages.slice(start, end).filter(({ role }, offset) => {
    const isKept = start + offset < newestStep && has(start + offset);
    return !isKept && (role === 'assistant' || role === 'tool');
  });
}

/** Said to whoever asked: the seeds cut only before a user message. */
export function cutBetweenSteps({ targetTokens: target }: Pick<Room, 'targetTokens'>): string {
  return `Cut between steps of one turn, behind its prompt: a cut before a user message does not reach the target of ${Math.round(target)} tokens.`;
}

/** Tokens of the newest turns that stay: as set, but never more than half of what the context may have. */
export function keptTokens({ room }: PlanInput, { keepRecentTokens }: HaloParameters): number {
  return Math.min(keepRecentTokens, room?.keepRecentTokens ?? keepRecentTokens);
}

/** Where a run ends. What is kept recent gives way only in a window that is too small for it. */
export function roomOfHalo(size: ContextSize, { target, keepRecentTokens }: HaloParameters): Room {
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
const shareOfLittle = 0.5;
const little = 400;

/** In counted tokens. Summaries that are shorter would hardly get smaller. */
export const largeSummary = 2 * little;

/** In a small window, a summary has at most this share of what the context may have. */
const shareOfMost = 0.25;

function longestSummary(replacedTokens: number, { reserveTokens }: HaloParameters, room: Room | null): number {
  const ofLittle = Math.min(little, replacedTokens * shareOfLittle);
  const wanted = Math.round(Math.max(ofLittle, replacedTokens * shareOfReplaced));
  const ofRoom = room === null ? wanted : Math.max(little, Math.floor(room.mostTokens * shareOfMost));
  return Math.min(Math.floor(reserveTokens * shareOfReserve), wanted, ofRoom);
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

/** Index of the first message of the kept tail, or of the newest steps that are kept of a live turn that is larger. */
export function startOfTail(input: AgeInput, { keepRecentTokens }: HaloParameters): number {
  const tail = beforeTail(input, keepRecentTokens).at(-1)?.end ?? 0;
  return Math.max(tail, startOfNewest(input.messages, Math.max(keepRecentTokens, input.floorTokens)));
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
