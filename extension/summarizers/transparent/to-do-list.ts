import type { PlanItem } from '../../engine/ledger/plan';
import type { Room } from './room';

const boxes: Readonly<Record<PlanItem['state'], string>> = { done: '[x]', 'in progress': '[~]', pending: '[ ]' };

/** The agent's to-do list in the turn that it works on. */
export function toDoLines(plan: readonly PlanItem[]): string[] {
  return plan.length === 0 ? [] : ['My to-do list:', ...plan.map(lineOf)];
}

/** The open items of a list, for a block that ends before that turn. */
export function openToDoPart(plan: readonly PlanItem[], room: Room): string[] {
  const open = plan.filter(({ state }) => state !== 'done').map(lineOf);
  const heading = '## Still open on my to-do list';
  if (open.length === 0 || !room.take([heading])) return [];
  const lines = room.takeLast(open);
  return lines.length === 0 ? [] : [heading, ...lines];
}

function lineOf({ state, text }: PlanItem): string {
  return `- ${boxes[state]} ${text}`;
}
