import {
  type CompactionPlan,
  excessTokens,
  type PlanInput,
  type PlannedTurn,
  type PlanOutcome,
  planKey,
  replacedMessages,
} from '../block/plan';
import { sections } from '../block/sections';
import { isRaw, type Strategy, type WriteOrder, writtenBy } from '../block/strategy';
import { replacedEntries, shareOfBody, usualLength } from '../compaction/request';
import { type ContextMessage, tokensOf } from '../conversation/context';
import { textOf } from '../conversation/entry';
import { startOfNewest, untouchableOf } from '../conversation/steps';
import { oneLine } from '../conversation/text';
import { openerOf, opensTurn, segmentsOf } from '../conversation/turns';
import { counted, messageCount } from '../wording/counts';
import { localizable } from '../wording/localizable-text';
import { everythingBefore, haloTurns } from './halo';
import { haloDefaults } from './halo-parameters';
import { cutBetweenSteps, stepsBetween } from './old-steps';
import { checkpointStrategy, handover } from './one-summary';

/**
 * The last rungs of the ladder: they reach the target unless the messages that a run does not touch are larger than it.
 * Everything old becomes one block before the kept turns. If that is not enough, the old steps of the turn at the cut
 * become one block after its prompt. The second rung works without a model, and the third without a summary.
 */
export const lastRungs: readonly Strategy[] = [
  lastRung({ smallestBlock: 400 }),
  lastRung({ smallestBlock: 120, withoutModel: true }),
  withoutSummary(lastRung({ smallestBlock: 60, withoutModel: true })),
];

interface LastRung {
  /** Minimum counted tokens of a meaningful block. */
  readonly smallestBlock: number;
  readonly withoutModel?: true;
}

function lastRung({ smallestBlock, withoutModel }: LastRung): Strategy {
  const { name, title, description } = checkpointStrategy;
  return {
    ...{ name, title, description, defaults: haloDefaults },
    plan: (input) => planWithin(input, smallestBlock),
    ...(withoutModel ? { withoutModel } : {}),
  };
}

function withoutSummary(rung: Strategy): Strategy {
  return {
    ...rung,
    plan: (input, parameters) => {
      const outcome = rung.plan(input, parameters);
      if (outcome.kind !== 'planned') return outcome;
      return { ...outcome, plans: outcome.plans.map((plan) => ({ ...plan, sections: [] })) };
    },
    write: writeWithoutSummary,
  };
}

interface Cut {
  /** Whole turns and blocks, replaced by one block before the kept messages. */
  readonly before: readonly PlannedTurn[];
  /** Steps of the turn that the cut divides, replaced by one block after its prompt; null if it divides none. */
  readonly within: PlannedTurn | null;
}

function planWithin(input: PlanInput, smallestBlock: number): PlanOutcome {
  const cut = cutFor(input, smallestBlock);
  if (!cut) return { kind: 'protected' };
  const found = roomFor(cut, input) > 0 ? cut : withoutGoodBlocks(cut);
  if (blocksOf(found) === 0 || isInVain(found, input, smallestBlock)) return { kind: 'too-small' };
  const least = Math.max(smallestBlock * blocksOf(found), roomOutOfReach(found, input));
  const plans = plansOf(found, input, Math.max(roomFor(found, input), least));
  const untried = plans.filter((plan) => !input.rejected.has(planKey(plan)));
  return untried.length === 0 ? { kind: 'too-small' } : { kind: 'planned', plans: untried };
}

/**
 * The first cut, by increasing loss, that can reach the target with blocks of a good length; else with blocks of the smallest meaningful
 * length; else the cut that frees most. Cuts after it are not computed. A model rewrites a block of a good length only if there is more to
 * tell, or if no other cut is left.
 */
function cutFor(input: PlanInput, smallestBlock: number): Cut | undefined {
  let fitting: Cut | undefined;
  let last: Cut | undefined;
  let shortening: Cut | undefined;
  for (const each of cutsOf(input)) {
    if (!isWorthwhile(replacedBy(each), smallestBlock)) continue;
    const cut = input.asksModel ? withoutGoodBlocks(each) : each;
    if (blocksOf(cut) === 0) {
      shortening ??= each;
      continue;
    }
    const room = roomFor(cut, input);
    if (room >= comfortable(cut, input)) return cut;
    if (room >= smallestBlock * blocksOf(cut)) fitting ??= cut;
    last = cut;
  }
  return fitting ?? last ?? shortening;
}

/** Blocks of a good length are not shortened for a target that cannot be reached because the untouched messages alone are larger. */
function isInVain(cut: Cut, input: PlanInput, smallestBlock: number): boolean {
  const replaced = replacedBy(cut);
  const blocks = blocksOf(cut);
  if (replaced.some(isRaw) || roomFor(cut, input) >= smallestBlock * blocks) return false;
  return tokensOf(replaced) <= goodLength.byModel * blocks;
}

function withoutGoodBlocks({ before, within }: Cut): Cut {
  const isToCut = (turns: readonly PlannedTurn[]) => {
    const replaced = replacedMessages({ turns });
    return replaced.some(isRaw) || tokensOf(replaced) > goodLength.byModel;
  };
  return { before: isToCut(before) ? before : [], within: within && isToCut([within]) ? within : null };
}

/** Blocks of at most this share of the untouched messages hardly enlarge the context. */
const besideUntouched = 0.1;

/** If the untouched messages alone exceed the target, shorter blocks would lose more without reaching it. */
function roomOutOfReach(cut: Cut, input: PlanInput): number {
  if (roomFor(cut, input) > 0) return 0;
  const stays = tokensOf(input.messages) - tokensOf(replacedBy(cut));
  return Math.min(comfortable(cut, input), besideUntouched * stays);
}

/** A single block is summarised again only if it is large. */
function isWorthwhile(replaced: readonly ContextMessage[], smallestBlock: number): boolean {
  return replaced.some(isRaw) || replaced.length > 1 || tokensOf(replaced) > 1.5 * smallestBlock;
}

/**
 * Counted tokens of a good block over a long record, by a model and without one. Agents' own summaries have 2,300 to
 * 5,000.
 */
const goodLength = { byModel: 3200, quoting: 2000 };

/** Counted tokens for blocks that are not squeezed between the record and the newest steps. */
function comfortable(cut: Cut, input: PlanInput): number {
  return Math.min(goodLengthOf(input), worthOf(turnsOf(cut)));
}

function goodLengthOf({ asksModel }: PlanInput): number {
  return asksModel ? goodLength.byModel : goodLength.quoting;
}

/** Shares of the tokens for newest steps, tried one after the other. */
const keptShares = [1, 0.85, 0.7, 0.55, 0.4, 0.3, 0.2, 0.1, 0];

/** Cuts from the most of the newest steps to none of them. */
function* cutsOf(input: PlanInput): Generator<Cut> {
  const { messages, room } = input;
  const most = room?.keepRecentTokens ?? 0;
  const kept = [...keptShares.map((share) => share * most), Math.min(most, tokensBesideBlocks(input))];
  const starts = kept.toSorted((a, b) => b - a).map((tokens) => startOfNewest(messages, tokens));
  for (const at of new Set(starts)) {
    // Cuts before a user message are preferred as long as they are enough.
    yield { before: turnsBefore(messages, at), within: null };
    yield cutWithin(messages, at);
  }
}

/** Counted tokens that the target leaves for newest steps beside blocks of a good length. */
function tokensBesideBlocks(input: PlanInput): number {
  const { messages, goalTokens } = input;
  const touched = tokensOf(messages.filter(({ kind }) => kind !== 'system' && kind !== 'core'));
  return Math.max(0, touched - excessTokens(input) - goalTokens - goodLengthOf(input));
}

/** The prompt of the divided turn stays verbatim, and so do the agent's rules. */
function cutWithin(messages: readonly ContextMessage[], at: number): Cut {
  const segment = segmentsOf(messages).find(({ start, end }) => start < at && end > at);
  const before = turnsBefore(messages, at);
  if (!segment) return { before, within: null };
  const replaced = stepsBetween(messages, segment.start, at);
  return { before, within: replaced.length === 0 ? null : { user: openerOf(messages, segment), replaced } };
}

function turnsBefore(messages: readonly ContextMessage[], at: number): PlannedTurn[] {
  const prompt = untouchableOf(messages).prompt;
  return haloTurns(
    messages,
    segmentsOf(messages).filter(({ end }) => end <= at && (prompt === -1 || end <= prompt)),
  );
}

function turnsOf({ before, within }: Cut): PlannedTurn[] {
  return [...before, ...(within ? [within] : [])];
}

function replacedBy(cut: Cut): ContextMessage[] {
  return replacedMessages({ turns: turnsOf(cut) });
}

function blocksOf({ before, within }: Cut): number {
  return (before.length > 0 ? 1 : 0) + (within ? 1 : 0);
}

/** Maximum counted tokens of all blocks of a cut. */
function roomFor(cut: Cut, input: PlanInput): number {
  const replaced = replacedBy(cut);
  const goal = replaced.some(opensTurn) ? input.goalTokens : 0;
  return tokensOf(replaced) - excessTokens(input) - goal;
}

const usualCheckpoint = 0.8 * haloDefaults.reserveTokens;
const usualSteps = 3200;

function plansOf(cut: Cut, { room: aim, asksModel }: PlanInput, room: number): CompactionPlan[] {
  const { before, within } = cut;
  const ofOlder = Math.floor(within ? room - (asksModel ? roomWithin : roomToQuote)(within, before, room) : room);
  const plans: CompactionPlan[] = [];
  if (before.length > 0) {
    plans.push({
      ...limited(before, ofOlder, usualCheckpoint),
      summaryType: 'checkpoint',
      sections: sections.checkpoint,
      introduction: handover,
      reason: everythingBefore(replacedMessages({ turns: before }).length),
    });
  }
  if (within) {
    plans.push({
      ...limited([within], room - (before.length > 0 ? ofOlder : 0), usualSteps),
      summaryType: 'conversation',
      sections: sections.conversation,
      tier: 'steps',
      place: 'last',
      reason: localizable('Old steps of one turn: {0}.', messageCount(within.replaced.length)),
      ...(aim === null ? {} : { note: cutBetweenSteps(aim) }),
    });
  }
  return plans;
}

/** The least share of the room for the steps of the turn at the cut: they state how far the work is. */
const leastWithin = 0.35;

/** Each of two blocks has a share of the room by what it replaces. */
function roomWithin(within: PlannedTurn, before: readonly PlannedTurn[], room: number): number {
  if (before.length === 0) return room;
  const worth = worthOf([within]);
  return Math.max(room * (worth / (worthOf(before) + worth)), Math.min(worth, room * leastWithin));
}

/** A block of quotations contains no results, so its share depends on the rest of what it replaces. */
function roomToQuote(within: PlannedTurn, before: readonly PlannedTurn[], room: number): number {
  const words = quotable([within]);
  return room * (words / Math.max(1, words + quotable(before)));
}

function quotable(turns: readonly PlannedTurn[]): number {
  return tokensOf(replacedMessages({ turns }).filter(({ role }) => role !== 'tool'));
}

function limited(turns: readonly PlannedTurn[], limit: number, usual: number) {
  const maxTokens = Math.max(1, Math.floor(Math.min(usual, limit * shareOfBody)));
  return { strategy: checkpointStrategy.name, parameters: {}, turns, maxTokens, limitTokens: limit };
}

/** The number of removed messages and the user's words among them, newest first, as far as there is room. */
async function writeWithoutSummary({ plan, request }: WriteOrder) {
  const words = request.turns.flatMap(({ user, userIsReplaced }) =>
    user && userIsReplaced ? [oneLine(textOf(user.parts))] : [],
  );
  const lines = [`${counted(replacedEntries(request).length, 'earlier message')} left out to make room.`];
  let left = request.maxTokens - request.countTokens(lines[0] ?? '');
  for (const quote of words.reverse()) {
    const line = `- The person said: "${quote}"`;
    left -= request.countTokens(`${line}\n`);
    if (left < 0) break;
    lines.push(line);
  }
  return writtenBy(plan.strategy, lines.join('\n'));
}

/** Minimum worth of a block over turns, in counted tokens. */
const least = 400;

/** Counted tokens of a block over these turns that is neither padded nor shortened without need. */
export function worthOf(turns: CompactionPlan['turns']): number {
  return Math.max(least, usualLength(replacedMessages({ turns })));
}
