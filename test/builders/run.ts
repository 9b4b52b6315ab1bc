import type { Embedder } from '../../extension/engine/block/language-model';
import type { Context } from '../../extension/engine/conversation/context';
import type { Conversation } from '../../extension/engine/conversation/conversation';
import { project } from '../../extension/engine/conversation/projection';
import { foldJournal, type JournalState } from '../../extension/engine/journal/journal-state';
import { overlayOf } from '../../extension/engine/journal/overlay';
import type { PreparedRun } from '../../extension/engine/run/prepare/prepared-run';
import { prepareRun } from '../../extension/engine/run/prepare/run';
import type { RunInput } from '../../extension/engine/run/prepare/run-input';
import { transparentSummarizer } from '../../extension/summarizers/transparent/transparent';
import { assistant, call, long, quickLedger, result, talk, user } from './conversation';

/** Vectors made from the words of a text. They are fast, and texts with common words are close to each other. */
export const wordEmbedder: Embedder = {
  name: 'words',
  embed: async (texts) => texts.map(wordVector),
};

function wordVector(text: string): number[] {
  const vector = new Array<number>(64).fill(0);
  for (const word of text.toLowerCase().match(/\w+/g) ?? []) {
    let hash = 0;
    for (const character of word) hash = (hash * 31 + character.charCodeAt(0)) % vector.length;
    vector[hash] = (vector[hash] ?? 0) + 1;
  }
  return vector;
}

export const emptyState: JournalState = foldJournal([]);
const ledger = quickLedger();

/** The defaults are made for windows of 200,000 tokens; random conversations have a few thousand. */
const smallHalo = { keepRecentTokens: 300 };
export const smallParameters: RunInput['parameters'] = {
  checkpoint: smallHalo,
  naive: smallHalo,
  codex: { keepUserTokens: 60 },
  'hierarchical-summary': { ...smallHalo, turnsPerSegment: 2, summariesPerLevel: 2 },
  'protected-core': smallHalo,
  'a-mem': smallHalo,
  observations: smallHalo,
  hybrid: smallHalo,
  prune: { protectTokens: 200 },
};

export function compact(conversation: Conversation, changes: Partial<RunInput> = {}): Promise<PreparedRun> {
  return prepareRun(runInput(conversation, changes));
}

export function runInput(conversation: Conversation, changes: Partial<RunInput> = {}): RunInput {
  return {
    conversation,
    state: emptyState,
    strategy: 'pipeline',
    parameters: smallParameters,
    contextWindow: 200_000,
    trigger: 'manual',
    instructions: null,
    tools: { summarizer: transparentSummarizer, model: null, embedder: wordEmbedder },
    verification: 'repair',
    floorTokens: 0,
    ledger,
    now: () => '2026-01-01T00:00:00.000Z',
    clock: () => 0,
    signal: new AbortController().signal,
    ...changes,
  };
}

/**
 * A conversation about the parts of a port, once with replies of a model with known prices at this time, and once
 * without.
 */
export function pricedTalk(timestamp: string) {
  const work = Array.from({ length: 30 }, (_, at) => [
    user(`Port part ${at}.`),
    call(`c${at}`),
    result(`c${at}`, long(`Part ${at} has lines.`, 60)),
    assistant(`Part ${at} is ported.`),
  ]);
  const unpriced = talk(work.flat());
  const size = contextOf(unpriced).tokens.total;
  const usage = { input: 10, output: 5, cacheRead: size - 500, cacheWrite: 500 };
  const reply = { timestamp, model: 'claude-opus-4-8', usage };
  const entries = unpriced.entries.map((entry) => (entry.role === 'assistant' ? { ...entry, ...reply } : entry));
  return { unpriced, size, priced: { ...unpriced, entries, agentContext: entries } };
}

export function contextOf(conversation: Conversation, state: JournalState = emptyState): Context {
  return project(conversation, overlayOf(state, conversation), ledger);
}
