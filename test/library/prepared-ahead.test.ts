import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { LanguageModel } from '../../extension/engine/block/language-model';
import { createConversations } from '../../extension/library/conversations';
import { compactingFetch } from '../../extension/library/fetch';
import { modelSummarizer } from '../../extension/summarizers/model/model-summarizer';
import type { WireRequest } from '../agents/wire/utterance';
import { obedient, scriptedSummaries } from '../builders/scripted-summaries';
import { type AgentSetting, chatAgent, messagesAgent, responsesAgent } from './sdk-agents';
import { asksForBlock, type Summarizes, startWindowedServer } from './windowed-server';

const window = 16_000;

const agents = [
  ['OpenAI Chat Completions', chatAgent],
  ['OpenAI Responses', responsesAgent],
  ['Anthropic Messages', messagesAgent],
] as const;

interface Played {
  /** Milliseconds of each request of a turn. */
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

/** An answer with two of the requested sections. */
function sectioned({ said }: Pick<WireRequest, 'said'>): string {
  const last = said.at(-1);
  const names = [...(last?.kind === 'text' ? last.text : '').matchAll(/^## (.+)$/gm)].map(([, name]) => name);
  return [names[0], names.at(-1)].map((name) => `## ${name}\nI read the files in turn.`).join('\n\n');
}

describe.each(agents)('blocks by the application’s own model (%s)', (_, agent) => {
  async function played(summarizes: Summarizes, cacheRead?: number) {
    const server = await startWindowedServer(window, summarizes, cacheRead);
    onTestFinished(() => server.close());
    const notices: string[] = [];
    const conversations = await createConversations({
      ...{ window, strategy: 'checkpoint', onNotice: (notice: string) => void notices.push(notice) },
      automation: { schedule: 'size', prepareAt: 0.7 },
    });
    const run = agent({ address: server.address, fetch: compactingFetch(conversations), streams: true });
    for (let turn = 1; turn <= 20; turn += 1) {
      await run(`Turn ${turn}: read two files.`);
      await delay(30);
    }
    return { arrived: server.arrived, newest: conversations.newest, notices };
  }

  it('blocks are requested with the last request and one more message, which is not recorded in the conversation', async () => {
    const { arrived, newest, notices } = await played(sectioned);
    const asking = arrived.findIndex(({ request }) => asksForBlock(request));
    const [before, asked] = [arrived[asking - 1], arrived[asking]];
    expect(asking).toBeGreaterThan(0);
    const list = (body: unknown) =>
      Object.entries(body as object).find(([name]) => /^(messages|input)$/.test(name))?.[1];
    expect(list(asked?.body).slice(0, -1)).toEqual(list(before?.body));
    // Only some requests ask for usage. Providers do not cache that field.
    const others = { messages: 0, input: 0, stream_options: 0 };
    expect({ ...asked?.body, ...others }).toEqual({ ...before?.body, ...others });
    expect(list(asked?.body).at(-1).role).toBe('user');
    expect(newest?.compactions.map(({ record }) => record.summarizer.name)).toContain('own');
    expect(JSON.stringify(newest?.entries)).not.toMatch(/Now write the (?:summary|updated memory)/);
    expect(
      arrived.filter(({ request }) => !asksForBlock(request) && JSON.stringify(request).includes('Now write')),
    ).toEqual([]);
    expect(arrived.some(({ request }) => JSON.stringify(request).includes('I read the files in turn.'))).toBe(true);
    expect(notices).toEqual([]);
  }, 60_000);

  it('blocks are requested with a transcript instead of the messages if the provider has none of them in its cache', async () => {
    const { arrived, newest } = await played(sectioned, 0);
    const asked = arrived.find(({ request }) => asksForBlock(request));
    expect(asked?.request.said).toHaveLength(1);
    expect(JSON.stringify(asked?.body)).toContain('BEGIN QUOTATION');
    expect(newest?.compactions.map(({ record }) => record.summarizer.name)).toContain('own');
  }, 60_000);

  it('are asked for once more if it calls a tool, and then made without it', async () => {
    const once = await played((request, number) => (number === 1 ? null : sectioned(request)));
    expect(once.newest?.compactions.map(({ record }) => record.summarizer.name)).toContain('own');
    const never = await played(() => null);
    expect(never.newest?.compactions.length).toBeGreaterThan(0);
    expect(never.newest?.compactions.map(({ record }) => record.summarizer.name)).not.toContain('own');
    expect(never.arrived.filter(({ isTooLong }) => isTooLong)).toEqual([]);
    expect(never.notices.join('\n')).toContain('called a tool');
  }, 60_000);
});

describe.each(agents)('blocks that are written between requests (%s)', (_, agent) => {
  it('are the model’s, and no request is too long', async () => {
    const { model } = scriptedSummaries(obedient);
    const { isTooLong, writers, notices } = await play(agent, model, 20);
    expect(isTooLong.filter(Boolean)).toEqual([]);
    expect(writers).toContain('m');
    expect(notices).toEqual([]);
  }, 60_000);

  it('delay no request if the model takes longer than the session: they are made without it', async () => {
    const { model } = scriptedSummaries(obedient);
    const wait = 20_000;
    const { times, isTooLong, writers } = await play(agent, slowed(model, wait), 20);
    expect(Math.max(...times)).toBeLessThan(wait / 2);
    expect(isTooLong.filter(Boolean)).toEqual([]);
    // The model still writes for the first one when the second one is made.
    expect(writers.length).toBeGreaterThan(1);
    expect(writers).not.toContain('m');
  }, 60_000);
});
