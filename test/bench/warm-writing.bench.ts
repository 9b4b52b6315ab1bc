import { resolve } from 'node:path';
import { it } from 'vitest';
import type { Conversation } from '../../extension/engine/conversation/conversation';
import type { Entry, Part } from '../../extension/engine/conversation/entry';
import { countWithO200k } from '../../extension/engine/conversation/tokenizer';
import { TokenLedger } from '../../extension/engine/conversation/tokens';
import { cachePricesOf } from '../../extension/engine/run/automation/cache-prices';
import { openSession } from '../../extension/sessions/open';
import { modelSummarizer } from '../../extension/summarizers/model/model-summarizer';
import { promptRoom } from '../../extension/summarizers/model/room';
import { compact } from '../builders/run';
import { obedient, scriptedSummaries } from '../builders/scripted-summaries';

/*
 * Measures the cost of one block over everything except the newest steps, in units of one input token at full price. It
 * is written either from a transcript, in a separate request, or from the warm cache, as the last request with one more
 * message. The messages are repetitions of a real session. Caches follow the providers' published rules: the shared
 * prefix costs `read`, and newly cached tokens cost `write`. Answers cost the same in both ways and are left out.
 */

const file = resolve(import.meta.dirname, '../fixtures/pi-v1/until-after-first-compaction.jsonl');
const sizes = [50_000, 150_000, 500_000];
const models = ['claude-opus-4-8', 'gpt-5.4'];
const ledger = new TokenLedger(countWithO200k);

function ofSize(entries: readonly Entry[], tokens: number): Conversation {
  const taken: Entry[] = [];
  let total = 0;
  for (let round = 0; total < tokens; round += 1) {
    for (const entry of entries) {
      if (total >= tokens) break;
      total += ledger.ofEntry(entry);
      const { usage: _, ...rest } = entry;
      taken.push({ ...rest, id: `${entry.id}-${round}`, parts: entry.parts.map((part) => renamed(part, round)) });
    }
  }
  return { entries: taken, agentContext: taken, agentCompactions: [] };
}

function renamed(part: Part, round: number): Part {
  return part.type === 'tool_call' || part.type === 'tool_result'
    ? { ...part, callId: `${part.callId}-${round}` }
    : part;
}

/** Tokens of each prompt that a checkpoint sends. */
async function promptTokens(
  conversation: Conversation,
  contextWindow: number,
  isRecordAbove: boolean,
): Promise<number[]> {
  const { model, asked } = scriptedSummaries(obedient);
  const options = {
    maxPromptTokens: promptRoom(contextWindow),
    ...(isRecordAbove ? ({ isRecordAbove } as const) : {}),
  };
  const run = await compact(conversation, {
    ...{ strategy: 'checkpoint', parameters: {}, contextWindow, ledger, verification: 'unchecked' },
    tools: { summarizer: modelSummarizer(model, options), model, embedder: { name: 'none', embed: async () => [] } },
  });
  if (run.records.length === 0) throw new Error(run.notes.join(' '));
  return asked.map(({ prompt }) => countWithO200k(`${prompt.system}\n${prompt.user}`));
}

it('writes from the warm cache', { timeout: 600_000 }, async () => {
  const opened = await openSession(file);
  if (opened.kind !== 'opened') throw new Error(String(opened.message));
  const { agentContext } = opened.session.conversation;
  for (const size of sizes) {
    const conversation = ofSize(agentContext, size);
    const history = conversation.entries.reduce((sum, entry) => sum + ledger.ofEntry(entry), 0);
    const window = size > 150_000 ? 1_000_000 : 200_000;
    const sum = (all: readonly number[]) => all.reduce((total, one) => total + one, 0);
    const cold = await promptTokens(conversation, window, false);
    const warm = await promptTokens(conversation, window, true);
    for (const model of models) {
      const prices = cachePricesOf(model);
      if (prices === null) throw new Error(`No prices of ${model}`);
      const { read, write } = prices;
      const expired = warm.length * history * write + sum(warm);
      console.log(
        `${size} tokens, ${model}: transcript ${sum(cold)} (${cold.length} calls); warm ${Math.round(warm.length * history * read + sum(warm))} (${warm.length} calls, instruction ${sum(warm)}); the same request with an expired cache ${Math.round(expired)}`,
      );
    }
  }
});
