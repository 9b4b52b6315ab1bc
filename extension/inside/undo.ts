import { type Entry, readableText } from '../engine/conversation/entry';
import { givesEachRequest } from '../inspection/each-request';
import type { Inspection } from '../inspection/inspection';
import { BudgetedText, type TokenBudget } from '../inspection/lookup/budget';
import type { SaidAnswer } from './exchange';
import { newestInAgent } from './words';

/** Share of the free window that the replaced messages may fill. */
const shareOfFree = 0.5;

/**
 * Whether these compactions are the newest that the agent carried out in its own session, so that only the agent can undo them. False if
 * each of its requests uses the context from Strata.
 */
export function isUndoneByAgent(inspection: Inspection, seqs: readonly number[]): boolean {
  if (!inspection.isStrataInside || givesEachRequest(inspection)) return false;
  return newestInAgent(inspection).some(({ seq }) => seqs.includes(seq));
}

/**
 * Undoes the newest compaction in the agent. Some agents can go back by themselves; for the others, `again` has the replaced messages, or
 * only the newest ones that fit.
 */
export async function undoInAgent(inspection: Inspection): Promise<SaidAnswer> {
  const records = newestInAgent(inspection);
  const [first] = records;
  if (first === undefined) return { kind: 'said', message: 'Strata has no compaction in this agent to undo.' };
  const beneath = new Set(records.flatMap(({ entryIds }) => entryIds));
  const { conversation, contextWindow, context, ledger } = inspection;
  const entries = conversation.entries.filter(({ id }) => beneath.has(id));
  const tokens = Math.floor(Math.max(0, contextWindow - context.tokens.total) * shareOfFree);
  const again = newestThatFit(entries.map(said), { tokens, count: ledger.countText });
  await inspection.undo(first.run);
  return {
    kind: 'said',
    message: `Undone: the compaction of ${first.time}, over ${entries.length} messages.`,
    again,
  };
}

/** In their order. */
function newestThatFit(texts: readonly string[], budget: TokenBudget): string {
  const fitting = new BudgetedText(budget);
  const left = texts.findLastIndex((text) => !fitting.add(text));
  const omission = left < 0 ? [] : [`(${left + 1} older messages are left out, because they do not fit.)`];
  return [...omission, ...texts.slice(left + 1)].join('\n');
}

function said({ role, parts }: Entry): string {
  const text = parts.filter(({ type }) => type !== 'reasoning').map(readableText);
  return `<message role="${role}">\n${text.join('\n')}\n</message>`;
}
