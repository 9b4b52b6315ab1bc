import { type SectionName, sections } from '../../../extension/engine/block/sections';
import type { RequestedTurn, SummaryRequest } from '../../../extension/engine/block/summary';
import type { Entry } from '../../../extension/engine/conversation/entry';
import { countWithO200k } from '../../../extension/engine/conversation/tokenizer';
import type { StrategyChoice } from '../../../extension/engine/run/prepare/registry';
import type { Boundary } from '../../../extension/evaluation/measure/replay/boundaries';
import { NameIndex } from '../../../extension/evaluation/measure/replay/names';
import { type Remainder, runStrategy } from '../../../extension/evaluation/measure/replay/ways';
import { transparentSummarizer, transparentSummary } from '../../../extension/summarizers/transparent/transparent';
import { ledger } from './boundaries';

/** One block of the transparent summarizer over all replaced entries. */
export function transparentBlock(
  boundary: Boundary,
  maxTokens: number,
  asked: readonly SectionName[] = sections.checkpoint,
): Remainder {
  return counted(transparentSummary(requestOver(boundary, maxTokens, asked)).body);
}

function requestOver({ replaced }: Boundary, maxTokens: number, asked: readonly SectionName[]): SummaryRequest {
  return {
    summaryType: asked === sections.goalBatch ? 'goal_batch' : 'checkpoint',
    sections: asked,
    turns: turnsOf(replaced),
    instructions: null,
    core: null,
    liveGoal: null,
    maxTokens,
    countTokens: countWithO200k,
  };
}

function turnsOf(entries: readonly Entry[]): RequestedTurn[] {
  const turns: { user: Entry | null; userIsReplaced: boolean; entries: Entry[]; blocks: [] }[] = [];
  for (const entry of entries) {
    const opens = entry.role === 'user' && !entry.injected && !entry.summary;
    if (opens || turns.length === 0) {
      turns.push({ user: opens ? entry : null, userIsReplaced: opens, entries: opens ? [] : [entry], blocks: [] });
    } else turns.at(-1)?.entries.push(entry);
  }
  return turns;
}

function counted(text: string): Remainder {
  return { text, tokens: countWithO200k(text) };
}

/** The text that a strategy leaves in place of the replaced entries within this number of tokens. */
export async function heldBy(choice: StrategyChoice, boundary: Boundary, budget: number): Promise<Remainder> {
  const embedder = { name: 'none', embed: async (texts: readonly string[]) => texts.map(() => [1]) };
  const tools = { summarizer: transparentSummarizer, model: null, embedder };
  return await runStrategy(choice, boundary, { budget, ledger, tools, signal: new AbortController().signal });
}

const fewest = 5;

/** The share of the names that the text contains; null if there are too few names. */
export function recallOf(needed: readonly string[], text: string): number | null {
  if (needed.length < fewest) return null;
  const index = new NameIndex(text);
  return needed.filter((name) => index.holds(name)).length / needed.length;
}
