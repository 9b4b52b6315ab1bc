import { collectArtifacts } from '../../../extension/engine/compaction/artifacts';
import { foldJournal } from '../../../extension/engine/compaction/journal-state';
import { isName } from '../../../extension/engine/compaction/loss-report';
import { listNames } from '../../../extension/engine/compaction/name-list';
import { prepareRun } from '../../../extension/engine/compaction/run';
import { type SectionName, sections } from '../../../extension/engine/compaction/sections';
import type { RequestedTurn, SummaryRequest } from '../../../extension/engine/compaction/summary';
import type { Entry } from '../../../extension/engine/conversation/entry';
import { readableText } from '../../../extension/engine/conversation/entry';
import { countWithO200k } from '../../../extension/engine/conversation/tokenizer';
import { TokenLedger } from '../../../extension/engine/conversation/tokens';
import { extract, extractiveSummarizer } from '../../../extension/summarizers/extractive/extractive';
import type { Boundary } from './boundaries';

/** What stands for the replaced entries, and what it costs. */
export interface Held {
  readonly text: string;
  readonly tokens: number;
}

const ledger = new TokenLedger(countWithO200k);

/** One block of the extractive summarizer over all of the replaced entries. */
export function extractiveBlock(
  boundary: Boundary,
  maxTokens: number,
  asked: readonly SectionName[] = sections.checkpoint,
): Held {
  return counted(extract(requestOver(boundary, maxTokens, asked)).body);
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
  const turns: { user: Entry | null; userIsReplaced: boolean; entries: Entry[]; blocks: string[] }[] = [];
  for (const entry of entries) {
    const opens = entry.role === 'user' && !entry.injected && !entry.summary;
    if (opens || turns.length === 0) {
      turns.push({ user: opens ? entry : null, userIsReplaced: opens, entries: opens ? [] : [entry], blocks: [] });
    } else turns.at(-1)?.entries.push(entry);
  }
  return turns;
}

/** The best-ranked names and nothing else: what ranking and packing are worth. */
export function namesAlone({ replaced }: Boundary, maxTokens: number): Held {
  const names = collectArtifacts(replaced).filter(isName);
  const { lines } = listNames(names, { tokens: maxTokens, countTokens: countWithO200k, isSaid: () => false });
  return counted(lines.join('\n'));
}

function counted(text: string): Held {
  return { text, tokens: countWithO200k(text) };
}

/** What a strategy leaves in the place of the entries that the agent replaced: its blocks, and what it did not touch. */
export async function heldBy({ conversation, replaced }: Boundary, strategy: string): Promise<Held> {
  const run = await prepareRun({
    conversation,
    state: foldJournal([]),
    strategy,
    parameters: {},
    contextWindow: 200_000,
    trigger: 'manual',
    instructions: null,
    tools: {
      summarizer: extractiveSummarizer,
      model: null,
      embedder: { name: 'none', embed: async (texts) => texts.map(() => [1]) },
    },
    verification: 'repair',
    floorTokens: 0,
    ledger,
    now: () => '2026-01-01T00:00:00.000Z',
    clock: () => 0,
    signal: new AbortController().signal,
  });
  const gone = new Set(replaced.map((entry) => entry.id));
  const standing = run.after.messages.filter((message) => message.entryIds.some((id) => gone.has(id)));
  return {
    text: standing.flatMap((message) => message.parts.map(readableText)).join('\n'),
    tokens: standing.reduce((total, message) => total + message.tokens, 0),
  };
}
