import { type CoreItem, type CoreItemStatus, coreItemStatuses } from '../../engine/core/core';
import type { Inspection } from '../inspection';
import { fittingText, type TokenBudget } from './budget';
import { sessionLine } from './session-line';

const headings: Readonly<Record<CoreItemStatus, string>> = {
  active: 'In force, verbatim in every request:',
  proposed: 'Proposed, waiting for the person to confirm:',
  done: 'Done:',
  superseded: 'Superseded:',
  refused: 'Refused by the person; do not propose these again:',
};

const others = coreItemStatuses.filter((status) => status !== 'active');

interface CoreAnswer {
  /** The items that the person pinned or accepted. They bind the agent, so they are not quoted as data. */
  readonly inForce: string;
  /** The session and the items that are not in force. */
  readonly others: string;
}

/** The protected core with the ids and states of its items, and the proposals. Both parts together fit the budget. */
export function answerCore(inspection: Inspection, budget: TokenBudget): CoreAnswer {
  const { session, journal, context, originalGoal: goal } = inspection;
  const { items } = journal.state;
  const tellLeftOut = (count: number) => `… and ${count} more lines.`;
  const active = group(items, 'active');
  const head = `The protected core takes ${context.tokens.byKind.core} tokens of the context.`;
  const nothing = items.length === 0 ? ['Nothing is pinned or proposed.'] : [];
  const inForce = fittingText([head], [...active, ...nothing], budget, { tellLeftOut });
  const rest = { ...budget, tokens: budget.tokens - budget.count(`${inForce}\n`) };
  const lines = [
    ...others.flatMap((status) => group(items, status)),
    ...(goal === null ? [] : [`First request of the person${goal.status === 'done' ? ', done' : ''}:`, goal.text]),
  ];
  return { inForce, others: fittingText([sessionLine(session)], lines, rest, { tellLeftOut }) };
}

function group(items: readonly CoreItem[], status: CoreItemStatus): string[] {
  const lines = items.filter((item) => item.status === status).map(itemLine);
  return lines.length === 0 ? [] : [headings[status], ...lines];
}

function itemLine({ id, kind, text, rationale, proposedBy }: CoreItem): string {
  const because = rationale === null ? '' : ` (because: ${rationale})`;
  return `- ${id.slice(0, 8)} ${kind}: ${text}${because}${proposedBy === undefined ? '' : ` [proposed by ${proposedBy}]`}`;
}
