import type { WritingTools } from '../../../engine/block/strategy';
import type { Entry } from '../../../engine/conversation/entry';
import type { TokenLedger } from '../../../engine/conversation/tokens';
import { emptyJournalState } from '../../../engine/journal/journal-state';
import type { StrategyChoice } from '../../../engine/run/registry';
import { prepareRunOf } from '../../../engine/run/run';
import { usualWindow } from '../contenders/strategy-contender';
import type { Boundary } from './boundaries';
import { onEqualTerms, parametersFor } from './equal-terms';
import { saidBy } from './names';

export interface WayOrder {
  readonly budget: number;
  readonly ledger: TokenLedger;
  readonly tools: WritingTools;
  readonly signal: AbortSignal;
}

const liveKey = 'replay:live';

/** What stands in the place of the replaced entries. */
export interface Left {
  readonly text: string;
  /** With what a message takes besides its text. */
  readonly tokens: number;
}

/**
 * What a strategy leaves in the place of the replaced entries: its blocks, and what it does not touch. There is
 * no core, which would hold the first goal for all of them, and nothing is put back that a summary dropped, which would
 * go over the budget.
 */
export async function leftBy(choice: StrategyChoice, boundary: Boundary, order: WayOrder): Promise<Left> {
  const { budget, ledger, tools, signal } = order;
  const tokens = new Map(boundary.replaced.map((entry) => [entry.id, ledger.ofEntry(entry)]));
  const entries = [...boundary.replaced, liveTurn(boundary)];
  const terms = { budget, countTokens: ledger.countText, tokensOfEntry: (id: string) => tokens.get(id) ?? 0, liveKey };
  const run = await prepareRunOf(onEqualTerms(choice, terms), {
    conversation: { entries, agentContext: entries, agentCompactions: [] },
    state: emptyJournalState,
    parameters: parametersFor(budget),
    contextWindow: usualWindow,
    trigger: 'manual',
    instructions: null,
    tools,
    verification: 'report',
    floorTokens: 0,
    ledger,
    now: () => '',
    clock: () => 0,
    signal,
    withoutCore: true,
  });
  const left = run.after.messages.filter(({ key }) => key !== liveKey);
  return { text: saidBy(left), tokens: left.reduce((total, message) => total + message.tokens, 0) };
}

/**
 * Strategies never touch the live turn, and agents compact in the middle of one. So it is opened anew behind what is
 * replaced, with what the person said last by then; nothing that came later is known to anybody.
 */
function liveTurn({ prompts }: Boundary): Entry {
  return {
    id: liveKey,
    role: 'user',
    parts: prompts.at(-1)?.parts ?? [],
    timestamp: null,
    origin: { file: '', line: 0 },
  };
}
