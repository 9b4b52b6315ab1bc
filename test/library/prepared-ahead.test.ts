import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { LanguageModel } from '../../extension/engine/block/language-model';
import { createConversations } from '../../extension/library/conversations';
import { compactingFetch } from '../../extension/library/fetch';
import { modelSummarizer } from '../../extension/summarizers/model/model-summarizer';
import { obedient, scriptedSummaries } from '../builders/scripted-summaries';
import { type AgentSetting, chatAgent, messagesAgent, responsesAgent } from './sdk-agents';
import { startWindowedServer } from './windowed-server';

const window = 16_000;

const agents = [
  ['OpenAI Chat Completions', chatAgent],
  ['OpenAI Responses', responsesAgent],
  ['Anthropic Messages', messagesAgent],
] as const;

interface Played {
  /** How long each request of a turn took, in milliseconds. */
  readonly times: readonly number[];
  readonly isTooLong: readonly boolean[];
  readonly writers: readonly (string | null)[];
  readonly notices: readonly string[];
}

/** A session whose model takes this long for each block. */
async function play(agent: (typeof agents)[number][1], model: LanguageModel, turns: number): Promise<Played> {
  const server = await startWindowedServer(window);
  onTestFinished(() => server.close());
  const notices: string[] = [];
  const conversations = await createConversations({
    ...{ window, onNotice: (notice: string) => void notices.push(notice) },
    summarizer: modelSummarizer(model, { maxPromptTokens: 100_000 }),
    strategy: 'checkpoint',
    automation: { schedule: 'size', prepareAt: 0.7 },
  });
  const setting: AgentSetting = { address: server.address, fetch: compactingFetch(conversations), streams: false };
  const run = agent(setting);
  const times: number[] = [];
  for (let turn = 1; turn <= turns; turn += 1) {
    const begun = performance.now();
    await run(`Turn ${turn}: read two files.`);
    times.push(performance.now() - begun);
    await delay(10);
  }
  const made = conversations.newest?.compactions ?? [];
  return {
    ...{ times, notices },
    isTooLong: server.arrived.map((arrived) => arrived.isTooLong),
    writers: made.map(({ record }) => record.summarizer.model),
  };
}

function slowed(model: LanguageModel, milliseconds: number): LanguageModel {
  return {
    ...model,
    complete: async (prompt, options) => {
      await delay(milliseconds);
      return await model.complete(prompt, options);
    },
  };
}

describe.each(agents)('blocks that are written between requests (%s)', (_, agent) => {
  it('are the model’s, and no request is too long', async () => {
    const { model } = scriptedSummaries(obedient);
    const { isTooLong, writers, notices } = await play(agent, model, 40);
    expect(isTooLong.filter(Boolean)).toEqual([]);
    expect(writers).toContain('m');
    expect(notices).toEqual([]);
  }, 60_000);

  it('hold no request up where the model takes longer than the session: they are made without it', async () => {
    const { model } = scriptedSummaries(obedient);
    const wait = 20_000;
    const { times, isTooLong, writers } = await play(agent, slowed(model, wait), 30);
    expect(Math.max(...times)).toBeLessThan(wait / 2);
    expect(isTooLong.filter(Boolean)).toEqual([]);
    expect(writers.length).toBeGreaterThan(0);
    expect(writers).not.toContain('m');
  }, 60_000);
});
