import type { WritingTools } from '../../../engine/block/strategy';
import { tokensOf } from '../../../engine/conversation/context';
import type { Entry } from '../../../engine/conversation/entry';
import { oncePer } from '../../../engine/conversation/once-per';
import type { TokenLedger } from '../../../engine/conversation/tokens';
import { emptyJournalState } from '../../../engine/journal/journal-state';
import type { StrategyChoice } from '../../../engine/run/prepare/registry';
import { prepareRunOf } from '../../../engine/run/prepare/run';
import { referenceWindow } from '../contenders/strategy-contender';
import type { Boundary } from './boundaries';
import { onEqualTerms, parametersFor } from './equal-terms';
import { textOfMessages } from './names';

export interface WayOrder {
  /** Tokens; null: a strategy follows its own parameters. */
  readonly budget: number | null;
  /** Tokens that a strategy with a target leaves; otherwise its own parameters apply. Only without a budget. */
  readonly target?: number;
  readonly ledger: TokenLedger;
  readonly tools: WritingTools;
  readonly signal: AbortSignal;
}

const liveKey = 'replay:live';

/** The text that replaces the entries. */
export interface Remainder {
  readonly text: string;
  /** Including the overhead of each message. */
  readonly tokens: number;
}

/**
 * Runs a strategy and returns what it leaves of the replaced entries: its blocks and what it does not touch. Without a
 * core, which would keep the first goal for every strategy, and without repairs, which would exceed the budget.
 */
export async function runStrategy(choice: StrategyChoice, boundary: Boundary, order: WayOrder): Promise<Remainder> {
  const { budget, target, ledger, tools, signal } = order;
  const tokens = new Map(boundary.replaced.map((entry) => [entry.id, ledger.ofEntry(entry)]));
  const { entries, live } = conversationAt(boundary);
  const tokensOfEntry = (id: string) => tokens.get(id) ?? 0;
  const equal = budget === null ? null : { budget, countTokens: ledger.countText, tokensOfEntry, liveKey };
  const size = equal?.budget ?? target;
  const run = await prepareRunOf(equal ? onEqualTerms(choice, equal) : choice, {
    conversation: { entries, agentContext: entries, agentCompactions: [] },
    state: emptyJournalState,
    parameters: equal ? parametersFor(equal.budget) : {},
    contextWindow: referenceWindow,
    ...(choice.aim && size !== undefined ? { targetTokens: size + ledger.ofEntry(live) } : {}),
    trigger: 'manual',
    instructions: null,
    tools,
    verification: 'unchecked',
    floorTokens: 0,
    ledger,
    now: () => '',
    clock: () => 0,
    signal,
    withoutCore: true,
  });
  const left = run.after.messages.filter(({ key }) => key !== liveKey);
  return { text: textOfMessages(left), tokens: tokensOf(left) };
}

/** Shared by all strategies, so that what they derive from the same entries is computed once. */
const conversationAt = oncePer((boundary: Boundary) => {
  const live = liveTurn(boundary);
  return { entries: [...boundary.replaced.map(withoutUsage), live], live };
});

/**
 * A provider's report is about the agent's whole request. It would calibrate this context and give it a system prompt that is not among the
 * replaced entries, and a strategy with a target would be charged for both.
 */
function withoutUsage({ usage: _usage, ...entry }: Entry): Entry {
  return entry;
}

/**
 * Strategies never touch the live turn, but agents compact in the middle of one. So this opens a new live turn after the
 * replaced entries, with the person's latest prompt at that point. Nothing later is visible.
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
