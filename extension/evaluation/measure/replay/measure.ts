import type { TokenLedger } from '../../../engine/conversation/tokens';
import type { StrategyChoice } from '../../../engine/run/registry';
import type { ReplayBoundary, ReplayWay } from '../replay';
import { type Boundary, tokensOf } from './boundaries';
import { saidBy } from './names';
import { heldIn, type Needs, needsOf } from './needs';
import { type Left, leftBy, type WayOrder } from './ways';

export const agentWay = 'agent';
export const ceilingWay = 'everything';

export interface MeasureOrder extends Omit<WayOrder, 'budget'> {
  readonly session: ReplayBoundary['session'];
  readonly strategies: readonly StrategyChoice[];
  /** Lets others have their turn: a cancellation arrives while nothing is worked on. */
  readonly pause: () => Promise<void>;
}

/** What was needed after one boundary, and what each way holds of it. Takes a run of each strategy. */
export async function measureBoundary(boundary: Boundary, order: MeasureOrder): Promise<ReplayBoundary> {
  const { session, ledger } = order;
  const needs = needsOf(boundary);
  const replacedTokens = tokensOf(boundary.replaced, ledger);
  const summary = boundary.summary === null ? null : summaryOf(boundary.summary, ledger);
  const budget = summary?.tokens ?? usualBudget(replacedTokens);
  const ways = [everything(boundary, replacedTokens, needs)];
  if (summary !== null) ways.push(wayOf(agentWay, summary, needs, budget));
  for (const choice of order.strategies) {
    await order.pause();
    order.signal.throwIfAborted();
    ways.push(wayOf(choice.name, await leftBy(choice, boundary, { ...order, budget }), needs, budget));
  }
  const { kind, line, step } = boundary;
  return { id: `${kind} ${step} ${session.file}`, session, kind, line, replacedTokens, ...needs, budget, ways };
}

function summaryOf(text: string, ledger: TokenLedger): Left {
  return { text, tokens: ledger.ofParts([{ type: 'text', text }]) };
}

/** A summary of an agent is about this long. */
const typical = { most: 1600, share: 0.05 };

function usualBudget(replacedTokens: number): number {
  return Math.min(typical.most, Math.round(replacedTokens * typical.share));
}

function everything({ replaced }: Boundary, tokens: number, needs: Needs): ReplayWay {
  return { ...wayOf(ceilingWay, { text: saidBy(replaced), tokens }, needs, 0), isWithinBudget: false };
}

const tolerance = 1.1;

/** How much a way with this in the place of what was replaced holds. */
export function wayOf(way: string, { text, tokens }: Left, needs: Needs, budget: number): ReplayWay {
  const { names, directions } = heldIn(text, needs);
  const isWithinBudget = tokens <= budget * tolerance;
  return { way, text: shown(text), tokens, isWithinBudget, namesHeld: names, directionsHeld: directions };
}

/** In UTF-16 units: what leaves most of a session as it was need not stand in the report as a whole. */
const longestShown = 24_000;

function shown(text: string): string {
  return text.length <= longestShown ? text : `${text.slice(0, longestShown)}\n[…]`;
}
