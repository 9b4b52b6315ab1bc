import { type CompactionPlan, excessTokens, type PlanInput, type PlannedTurn, type PlanOutcome } from '../block/plan';
import { sections } from '../block/sections';
import { counted, type Strategy, tokensOf, type WriteOrder, writtenBy } from '../block/strategy';
import type { ContextMessage } from '../conversation/context';
import { textOf } from '../conversation/entry';
import { startOfNewest, untouchableOf } from '../conversation/steps';
import { oneLine } from '../conversation/text';
import { openerOf, opensTurn, type Segment, segmentsOf } from '../conversation/turns';
import { checkpointStrategy, handover } from './checkpoint';
import { haloDefaults, haloOf, isRaw } from './halo';

/**
 * The last rungs of the ladder: they reach the target unless what a run leaves alone is larger than it. Everything old
 * becomes one block before the kept turns, and, where that is not enough, the old steps of the turn that goes on become
 * one block behind its prompt. The second rung does without a model, and the third without a summary.
 */
export const lastRungs: readonly Strategy[] = [
  lastRung({ smallestBlock: 400 }),
  lastRung({ smallestBlock: 400, withoutModel: true }),
  withoutSummary(lastRung({ smallestBlock: 60, withoutModel: true })),
];

interface LastRung {
  /** Counted tokens that a block needs in order to say something. */
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

/** What a cut would replace. */
interface Cut {
  /** Whole turns and blocks, to be replaced by one block before what is kept. */
  readonly before: readonly PlannedTurn[];
  /** Steps of the turn that the cut falls into, to be replaced by one block behind its prompt; null where it falls before a turn. */
  readonly within: PlannedTurn | null;
}

/** The first of the cuts, least loss first, with which the target can be reached; else the one that frees most. */
function planWithin(input: PlanInput, smallestBlock: number): PlanOutcome {
  const cuts = cutsOf(input).filter((cut) => isWorthwhile(replacedBy(cut), smallestBlock));
  const found = cuts.find((cut) => roomFor(cut, input) >= smallestBlock * blocksOf(cut)) ?? cuts.at(-1);
  if (!found) return { kind: 'protected' };
  const plans = plansOf(found, Math.max(roomFor(found, input), smallestBlock * blocksOf(found)));
  const untried = plans.filter(({ turns }) => !input.rejected.has(turns[0]?.replaced[0]?.key ?? ''));
  return untried.length === 0 ? { kind: 'too-small' } : { kind: 'planned', plans: untried };
}

/** A single block is summarised once more only where it is large. */
function isWorthwhile(replaced: readonly ContextMessage[], smallestBlock: number): boolean {
  return replaced.some(isRaw) || replaced.length > 1 || tokensOf(replaced) > 2 * smallestBlock;
}

/** Of the tokens that newest steps may have, these shares are tried one after the other. */
const keptShares = [1, 0.5, 0.25, 0];

function cutsOf(input: PlanInput): Cut[] {
  const { messages, room } = input;
  return keptShares.flatMap((share) => {
    const at = startOfNewest(messages, (room?.keepRecentTokens ?? 0) * share);
    return [cutBeforeTurn(messages, at), cutWithin(messages, at)];
  });
}

/** Cuts fall before a user message as long as that is enough. */
function cutBeforeTurn(messages: readonly ContextMessage[], at: number): Cut {
  return { before: turnsBefore(messages, at), within: null };
}

/** The prompt of the turn that is cut stays verbatim, and so do the messages that no person and no agent wrote. */
function cutWithin(messages: readonly ContextMessage[], at: number): Cut {
  const segment = segmentsOf(messages).find(({ start, end }) => start < at && end > at);
  const before = turnsBefore(messages, at);
  if (!segment) return { before, within: null };
  const untouchable = untouchableOf(messages);
  const replaced = messages
    .slice(segment.start, at)
    .filter(
      ({ role }, offset) => !untouchable.has(segment.start + offset) && (role === 'assistant' || role === 'tool'),
    );
  return { before, within: replaced.length === 0 ? null : { user: openerOf(messages, segment), replaced } };
}

function turnsBefore(messages: readonly ContextMessage[], at: number): PlannedTurn[] {
  const prompt = untouchableOf(messages).prompt;
  return segmentsOf(messages)
    .filter(({ end }) => end <= at && (prompt === -1 || end <= prompt))
    .map((segment: Segment) => ({ user: openerOf(messages, segment), replaced: haloOf(messages, segment) }))
    .filter(({ replaced }) => replaced.length > 0);
}

function replacedBy({ before, within }: Cut): ContextMessage[] {
  return [...before, ...(within ? [within] : [])].flatMap(({ replaced }) => replaced);
}

function blocksOf({ before, within }: Cut): number {
  return (before.length > 0 ? 1 : 0) + (within ? 1 : 0);
}

/** The person's first words stand in the core as soon as they lie beneath a block: at most this many counted tokens. */
const mostOfGoal = 1100;

/** Counted tokens that the blocks of a cut may have together. */
function roomFor(cut: Cut, input: PlanInput): number {
  const replaced = replacedBy(cut);
  const firstPrompt = replaced.find(opensTurn);
  const goal = firstPrompt ? Math.min(firstPrompt.tokens + 40, mostOfGoal) : 0;
  return tokensOf(replaced) - excessTokens(input) - goal;
}

/** Of the room for two blocks, what the one for the older turns has. */
const shareOfOlder = 0.5;

/** A body may grow by a quarter when something is put back into it, and a block has a tag and an introduction. */
const shareOfBody = 0.7;

const usualCheckpoint = 0.8 * haloDefaults.reserveTokens;
const usualSteps = 1600;

function plansOf(cut: Cut, room: number): CompactionPlan[] {
  const { before, within } = cut;
  const ofOlder = Math.floor(within ? room * shareOfOlder : room);
  const plans: CompactionPlan[] = [];
  if (before.length > 0) {
    plans.push({
      ...limited(before, ofOlder, usualCheckpoint),
      summaryType: 'checkpoint',
      sections: sections.checkpoint,
      introduction: handover,
      reason: `Everything before the newest turns: ${describe(before)}.`,
    });
  }
  if (within) {
    plans.push({
      ...limited([within], Math.floor(before.length > 0 ? room * (1 - shareOfOlder) : room), usualSteps),
      summaryType: 'conversation',
      sections: sections.conversation,
      tier: 'steps',
      reason: `Old steps of one turn, cut between steps because a cut before a user message does not reach the target: ${describe([within])}.`,
    });
  }
  return plans;
}

function limited(turns: readonly PlannedTurn[], limit: number, usual: number) {
  const tokens = tokensOf(turns.flatMap(({ replaced }) => replaced));
  const maxTokens = Math.max(1, Math.floor(Math.min(usual, limit * shareOfBody, Math.max(400, tokens * 0.2))));
  return { strategy: checkpointStrategy.name, parameters: {}, turns, maxTokens, limitTokens: limit };
}

function describe(turns: readonly PlannedTurn[]): string {
  const replaced = turns.flatMap((turn) => turn.replaced);
  return `${counted(replaced.length, 'message')}, ${tokensOf(replaced)} tokens`;
}

/** How much is gone, and what the person said of it, the newest words first, as far as there is room. */
async function writeWithoutSummary({ plan, request }: WriteOrder) {
  const entries = request.turns.flatMap(({ user, userIsReplaced, entries: others }) =>
    user && userIsReplaced ? [user, ...others] : others,
  );
  const words = request.turns.flatMap(({ user, userIsReplaced }) =>
    user && userIsReplaced ? [oneLine(textOf(user.parts))] : [],
  );
  const lines = [`${counted(entries.length, 'earlier message')} left out to make room.`];
  let left = request.maxTokens - request.countTokens(lines[0] ?? '');
  for (const said of words.reverse()) {
    const line = `- The person said: "${said}"`;
    left -= request.countTokens(`${line}\n`);
    if (left < 0) break;
    lines.push(line);
  }
  return writtenBy(plan.strategy, lines.join('\n'));
}
