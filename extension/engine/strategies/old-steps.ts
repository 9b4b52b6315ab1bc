import type { CompactionPlan, Parameters, PlanInput, PlanOutcome, Room } from '../block/plan';
import { sections } from '../block/sections';
import { isRaw, smallestWorthwhile } from '../block/strategy';
import { shareOfBody } from '../compaction/request';
import { type ContextMessage, tokensOf } from '../conversation/context';
import { startOfNewest, untouchableOf } from '../conversation/steps';
import { isProgramNote, openerOf, type Segment, segmentsOf } from '../conversation/turns';
import { messageCount } from '../wording/counts';
import { type LocalizableText, localizable } from '../wording/localizable-text';
import { type HaloParameters, longestSummary } from './halo-parameters';

interface StepsOptions<P extends HaloParameters & Parameters> {
  readonly strategy: string;
  readonly parameters: P;
  /** Empty for running text. */
  readonly sections: CompactionPlan['sections'];
  readonly details?: Pick<CompactionPlan, 'unanchored'>;
  /** Tokens of the newest steps that stay. Absent: as many as of the newest turns. */
  readonly keepSteps?: number;
}

/**
 * Plans one block for the old steps of the live turn, after its prompt. Null if the context is at its target, or if the turn has no old
 * steps.
 */
export function planOldSteps<P extends HaloParameters & Parameters>(
  input: PlanInput,
  options: StepsOptions<P>,
): PlanOutcome | null {
  const { room, messages, rejected } = input;
  if (room === null || input.tokens.total <= room.targetTokens) return null;
  const { strategy, parameters, keepSteps = parameters.keepRecentTokens } = options;
  const found = oldSteps(input, room, keepSteps);
  if (found === null || rejected.has(found.replaced[0]?.key ?? '')) return null;
  const { live, replaced, blockTokens } = found;
  const plan: CompactionPlan = {
    strategy,
    parameters,
    summaryType: 'conversation',
    sections: options.sections.length === 0 ? [] : sections.conversation,
    turns: [{ user: openerOf(messages, live), replaced }],
    tier: 'steps',
    reason: localizable('Old steps of the current turn: {0}.', messageCount(replaced.length)),
    note: cutBetweenSteps(room),
    maxTokens: Math.min(longestSummary(replaced, parameters, room), Math.floor(blockTokens * shareOfBody)),
    ...(options.details?.unanchored ? { unanchored: true } : {}),
  };
  return { kind: 'planned', plans: [plan] };
}

interface OldSteps {
  readonly live: Segment;
  readonly replaced: readonly ContextMessage[];
  /** Counted tokens available in place of the replaced steps. */
  readonly blockTokens: number;
}

/** The steps before the newest ones. These have at most half of the room for steps; the rest is for the block. */
function oldSteps({ messages, tokens, floorTokens }: PlanInput, room: Room, keepSteps: number): OldSteps | null {
  const live = segmentsOf(messages).at(-1);
  if (!live) return null;
  const excess = (tokens.total - room.mostTokens) / tokens.calibration;
  const roomForSteps = Math.max(0, tokensOf(stepsBetween(messages, live.start, messages.length)) - excess);
  const cut = startOfNewest(messages, Math.max(floorTokens, Math.min(keepSteps, roomForSteps / 2)));
  const replaced = stepsBetween(messages, live.start, cut);
  if (!replaced.some(isRaw) || tokensOf(replaced) < smallestWorthwhile) return null;
  return { live, replaced, blockTokens: Math.max(smallestBlock, roomForSteps - tokensOf(messages.slice(cut))) };
}

/** Minimum counted tokens for a meaningful block. */
const smallestBlock = 500;

/**
 * The agent's messages, calls and results between these places, including blocks over them, without open calls. Reminders, notifications
 * and output of hooks between its steps go with them: after a block they would read as if they were new.
 */
export function stepsBetween(messages: readonly ContextMessage[], start: number, end: number): ContextMessage[] {
  const { has, newestStep } = untouchableOf(messages);
  const isStep = ({ role }: ContextMessage, offset: number) => {
    const isKept = start + offset < newestStep && has(start + offset);
    return !isKept && (role === 'assistant' || role === 'tool');
  };
  const between = messages.slice(start, end);
  const first = between.findIndex(isStep);
  const last = between.findLastIndex(isStep);
  return between.filter((message, at) => isStep(message, at) || (at > first && at < last && isProgramNote(message)));
}

/** Note for the person: usually a cut falls before a user message. */
export function cutBetweenSteps({ targetTokens: target }: Pick<Room, 'targetTokens'>): LocalizableText {
  return localizable(
    'Takes old steps of a long turn too; its prompt stays. Whole turns alone would not reach the target of {0} tokens.',
    Math.round(target),
  );
}
