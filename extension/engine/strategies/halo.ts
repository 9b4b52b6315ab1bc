import {
  type CompactionPlan,
  type Parameters,
  type PlanInput,
  type PlannedTurn,
  type PlanOutcome,
  replacedMessages,
} from '../block/plan';
import { type AgeInput, isRaw, type Strategy, smallestWorthwhile } from '../block/strategy';
import { type ContextMessage, tokensOf } from '../conversation/context';
import { startOfNewest } from '../conversation/steps';
import { openerOf, type Segment, segmentsOf } from '../conversation/turns';
import { messageCount } from '../wording/counts';
import { type LocalizableText, localizable } from '../wording/localizable-text';
import {
  belowReserve,
  type HaloParameters,
  isTooLarge,
  keptTokens,
  largeSummary,
  longestSummary,
  roomOfHalo,
  startsAtReserve,
} from './halo-parameters';
import { planOldSteps } from './old-steps';

/** The differences between strategies that replace the whole halo by one block. */
interface HaloShape {
  /** Absent: the name of the strategy, with underscores. */
  readonly summaryType?: string;
  /** Absent: running text. */
  readonly sections?: CompactionPlan['sections'];
  /** Further fields of the plan: an introduction, the block's place. */
  readonly details?: Pick<CompactionPlan, 'introduction' | 'place' | 'unanchored'>;
  /** No turn before this index is kept, however small the tail is. Does not keep anything by itself. Absent: 0. */
  readonly earliestTail?: number;
  /** Tokens of the newest steps that stay where the live turn is cut. Absent: as many as of the newest turns. */
  readonly keepSteps?: number;
  /** The messages of an old turn that are replaced. Absent: all of them. */
  readonly replacedOf?: (turn: readonly ContextMessage[]) => readonly ContextMessage[];
}

interface HaloOptions<P> extends HaloShape {
  readonly strategy: string;
  readonly parameters: P;
  readonly summaryType: string;
  readonly sections: CompactionPlan['sections'];
}

/** A strategy that replaces everything but the newest turns by one block. */
export function haloStrategy<P extends HaloParameters & Parameters>(
  strategy: Omit<Strategy<P>, 'plan'>,
  shapeOf: (input: PlanInput, parameters: P) => HaloShape = () => ({}),
): Strategy<P> {
  const { name } = strategy;
  const usual = { strategy: name, summaryType: name.replaceAll('-', '_'), sections: [] };
  return {
    ...haloRules,
    ...strategy,
    plan: (input, parameters) => planHalo(input, { ...usual, parameters, ...shapeOf(input, parameters) }),
  };
}

/**
 * Plans one block for everything between the system prompt and the kept tail. If that is not enough, plans one for old
 * steps of the live turn. If the context is still too large, plans one for the summaries alone.
 */
function planHalo<P extends HaloParameters & Parameters>(input: PlanInput, options: HaloOptions<P>): PlanOutcome {
  const waiting = belowReserve(input, options.parameters);
  if (waiting) return waiting;
  const before = planBeforeTail(input, options);
  if (before.kind === 'planned') return before;
  return planOldSteps(input, options) ?? planSummaries(input, options) ?? before;
}

/** A single summary is summarised again only if the context is too large with it. */
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
  const old = beforeTail(input, keptTokens(input, parameters), options.earliestTail);
  const turns = haloTurns(messages, old)
    .map((turn) => ({ ...turn, replaced: replacedOf(turn.replaced) }))
    .filter(({ replaced }) => replaced.length > 0);
  const replaced = replacedMessages({ turns });
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
    reason: everythingBefore(replaced.length),
    maxTokens: longestSummary(replaced, parameters, input.room),
    ...options.details,
  };
  return { kind: 'planned', plans: [plan] };
}

export function everythingBefore(messages: number): LocalizableText {
  return localizable('Everything before the newest turns: {0}.', messageCount(messages));
}

/**
 * The segments before the kept tail. The tail is the live turn with as many preceding turns as fit into `keepTokens`,
 * or more while the tail is below the floor; it starts at `earliestTail` or later.
 */
export function beforeTail({ messages, floorTokens }: AgeInput, keepTokens: number, earliestTail = 0): Segment[] {
  const segments = segmentsOf(messages);
  let first = segments.length - 1;
  let kept = tokensOfSegment(messages, segments[first]);
  while (first > 0) {
    const older = segments[first - 1];
    const withOlder = kept + tokensOfSegment(messages, older);
    if (!older || older.start < earliestTail || (withOlder > keepTokens && kept >= floorTokens)) break;
    kept = withOlder;
    first -= 1;
  }
  return segments.slice(0, Math.max(0, first));
}

/** Index of the first message of the kept tail, or of the newest steps that are kept of a live turn that is larger. */
function startOfTail(input: AgeInput, { keepRecentTokens }: HaloParameters): number {
  const tail = beforeTail(input, keepRecentTokens).at(-1)?.end ?? 0;
  return Math.max(tail, startOfNewest(input.messages, Math.max(keepRecentTokens, input.floorTokens)));
}

/** When a strategy that replaces the whole halo starts, its target, and what it leaves untouched. */
export const haloRules = { startsAt: startsAtReserve, room: roomOfHalo, untouchedFrom: startOfTail };

function tokensOfSegment(messages: readonly ContextMessage[], segment: Segment | undefined): number {
  return segment ? tokensOf(messages.slice(segment.start, segment.end)) : 0;
}

/** The segments with what compaction may touch of them. Segments with nothing to touch are left out. */
export function haloTurns(messages: readonly ContextMessage[], segments: readonly Segment[]): PlannedTurn[] {
  return segments.flatMap((segment) => {
    const replaced = haloOf(messages, segment);
    return replaced.length === 0 ? [] : [{ user: openerOf(messages, segment), replaced }];
  });
}

/** The messages of a segment that compaction may touch. */
export function haloOf(messages: readonly ContextMessage[], { start, end }: Segment): ContextMessage[] {
  return messages.slice(start, end).filter(({ kind }) => kind !== 'system' && kind !== 'core');
}
