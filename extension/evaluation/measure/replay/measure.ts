import { isPrompt, textOf } from '../../../engine/conversation/entry';
import type { TokenLedger } from '../../../engine/conversation/tokens';
import { VerbatimText } from '../../../engine/language/verbatim';
import type { StrategyChoice } from '../../../engine/run/prepare/registry';
import type { RepeatsSpared, ReplayBoundary, ReplayWay, SparedBy } from '../replay';
import type { Boundary } from './boundaries';
import { NameIndex, namesIn, textOfMessages, usedBy } from './names';
import { type RepeatsWithTexts, shareSpared } from './repeats';
import { type Remainder, runStrategy, type WayOrder } from './ways';

export const agentWay = 'agent';
export const ceilingWay = 'everything';

export interface MeasureOrder extends Omit<WayOrder, 'budget'> {
  readonly session: ReplayBoundary['session'];
  readonly strategies: readonly StrategyChoice[];
  /** Reads that the agent repeated after this boundary; null if it is not measured. */
  readonly repeated: RepeatsWithTexts | null;
  /** Yields to the event loop, so that a cancellation can arrive. */
  readonly pause: () => Promise<void>;
}

/** Measures what was needed after one boundary and how much each way keeps. Runs every strategy once. */
export async function measureBoundary(boundary: Boundary, order: MeasureOrder): Promise<ReplayBoundary> {
  const { session, ledger } = order;
  const needs = needsOf(boundary);
  const replacedTokens = ledger.ofEntries(boundary.replaced);
  const summary = boundary.summary === null ? null : summaryOf(boundary.summary, ledger);
  const budget = summary?.tokens ?? defaultBudget(replacedTokens);
  const ways = [everything(boundary, replacedTokens, needs)];
  if (summary !== null) ways.push(measureWay(agentWay, summary, needs, budget));
  for (const choice of order.strategies) {
    await order.pause();
    order.signal.throwIfAborted();
    ways.push(measureWay(choice.name, await runStrategy(choice, boundary, { ...order, budget }), needs, budget));
  }
  const { kind, line, step } = boundary;
  const again = order.repeated && (await sparedAt(boundary, order.repeated, order));
  return {
    id: `${kind} ${step} ${session.file}`,
    session,
    kind,
    line,
    replacedTokens,
    ...needs,
    budget,
    ways,
    again,
  };
}

/** Runs every strategy with its own parameters, as it would be run in place of the agent's compaction. */
async function sparedAt(
  boundary: Boundary,
  { repeats, outputs }: RepeatsWithTexts,
  order: MeasureOrder,
): Promise<RepeatsSpared> {
  const spared: SparedBy[] = [];
  for (const choice of shareSpared(outputs, '') === null ? [] : order.strategies) {
    await order.pause();
    order.signal.throwIfAborted();
    const { text, tokens } = await runStrategy(choice, boundary, { ...order, budget: null });
    const share = shareSpared(outputs, text);
    if (share !== null) spared.push({ way: choice.name, share, tokens });
  }
  return { ...repeats, spared };
}

function summaryOf(text: string, ledger: TokenLedger): Remainder {
  return { text, tokens: ledger.ofParts([{ type: 'text', text }]) };
}

/** Typical size of an agent's summary, in tokens and as a share of what it replaces. */
const typical = { most: 1600, share: 0.05 };

function defaultBudget(replacedTokens: number): number {
  return Math.min(typical.most, Math.round(replacedTokens * typical.share));
}

function everything({ replaced }: Boundary, tokens: number, needs: Needs): ReplayWay {
  return { ...measureWay(ceilingWay, { text: textOfMessages(replaced), tokens }, needs, 0), isWithinBudget: false };
}

const tolerance = 1.1;

/** Measures how much a text keeps that stands for the replaced entries. */
export function measureWay(way: string, { text, tokens }: Remainder, needs: Needs, budget: number): ReplayWay {
  const { names, messages } = findHeld(text, needs);
  const isWithinBudget = tokens <= budget * tolerance;
  return { way, text: shortened(text), tokens, isWithinBudget, namesHeld: names, messagesHeld: messages };
}

/** In UTF-16 units. Keeps the report small for ways that leave most of a session raw. */
const maxShownLength = 24_000;

function shortened(text: string): string {
  return text.length <= maxShownLength ? text : `${text.slice(0, maxShownLength)}\n[…]`;
}

/** Parts of the replaced entries that the work after a boundary needed. */
export interface Needs {
  readonly names: readonly string[];
  readonly messages: readonly string[];
}

/** Names from the replaced entries that the following work used, and the person's messages there. */
export function needsOf({ replaced, after }: Boundary): Needs {
  const known = new NameIndex(textOfMessages(replaced));
  const said = replaced.filter(isPrompt).map(({ parts }) => textOf(parts).trim());
  return {
    names: [...namesIn(usedBy(after, { written: false }))].filter((name) => known.holds(name)),
    messages: [...new Set(said)].filter((text) => text !== ''),
  };
}

/** The needs that a text keeps: names that it has, and messages that stand in it word for word. */
export function findHeld(text: string, { names, messages }: Needs): Needs {
  const index = new NameIndex(text);
  const said = new VerbatimText(text);
  return {
    names: names.filter((name) => index.holds(name)),
    messages: messages.filter((message) => said.fateOf(message) === 'whole'),
  };
}
