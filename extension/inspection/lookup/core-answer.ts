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

/** Order of the groups: active items first. */
const order: readonly CoreItemStatus[] = ['active', ...coreItemStatuses.filter((status) => status !== 'active')];

/** The protected core with the ids and states of its items, and the proposals. */
export function answerCore({ session, journal, context, originalGoal: goal }: Inspection, budget: TokenBudget): string {
  const { items } = journal.state;
  const head = [sessionLine(session), `The protected core takes ${context.tokens.byKind.core} tokens of the context.`];
  const lines = [
    ...(items.length === 0 ? ['Nothing is pinned or proposed.'] : order.flatMap((status) => group(items, status))),
    ...(goal === null ? [] : [`First request of the person${goal.status === 'done' ? ', done' : ''}:`, goal.text]),
  ];
  return fittingText(head, lines, budget, { tellLeftOut: (count) => `… and ${count} more lines.` });
}

function group(items: readonly CoreItem[], status: CoreItemStatus): string[] {
  const lines = items.filter((item) => item.status === status).map(itemLine);
  return lines.length === 0 ? [] : [headings[status], ...lines];
}

function itemLine({ id, kind, text, rationale, proposedBy }: CoreItem): string {
  const because = rationale === null ? '' : ` (because: ${rationale})`;
  return `- ${id.slice(0, 8)} ${kind}: ${text}${because}${proposedBy === undefined ? '' : ` [proposed by ${proposedBy}]`}`;
}
