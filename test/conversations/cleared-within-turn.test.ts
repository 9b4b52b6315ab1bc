import { beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import type { ContextEvent } from '../../extension/conversations/events';
import { Workbench } from '../../extension/engine/run/workbench';
import { type ConversationsOptions, createConversations } from '../../extension/library';
import type { ReceivedMessage } from '../../extension/middleware/recognition/received';
import { receivedConversation } from '../../extension/middleware/recognition/received-entries';
import { contenders, played } from '../bench/cost/contenders';
import { startCostServer } from '../bench/cost/server';
import { replies, returns, says } from '../middleware/recognition/received';

/** Tests that Strata clears output within a turn, before the window is full, if that costs less. */

const window = 64_000;

beforeAll(() => {
  vi.stubEnv('LANGSMITH_TRACING', 'false');
  vi.stubEnv('LANGCHAIN_TRACING_V2', 'false');
  return () => vi.unstubAllEnvs();
});

describe('in long turns of a model with known prices', () => {
  const doors = contenders.filter(({ name }) => name.startsWith('Strata') && !name.includes('by size'));
  it.each(doors)('output is cleared long before the window is full: $name', async ({ start }) => {
    const server = await startCostServer(window);
    const { agent, stop } = await start({ address: server.address, window });
    await played(agent, server, 2);
    await stop?.();
    server.close();
    expect(server).toMatchObject({ refused: 0, lacking: 0 });
    expect(Math.max(...server.uses.map(({ prompt }) => prompt))).toBeLessThan(window * 0.65);
  });
});

describe('within a turn', () => {
  const withModel = {
    name: 'test',
    model: 'test',
    concurrency: 1,
    summarize: () => Promise.reject(new Error('unused')),
  };

  /** Plays one prompt and 25 calls with much output. Resolves to the events up to then, and to the newest context. */
  async function longTurn(
    options: Partial<ConversationsOptions> = {},
    model = 'gpt-5.5',
    thinking?: ReceivedMessage['thinking'],
  ) {
    const events: ContextEvent[] = [];
    const size = { window: 32_000, countTokens: (text: string) => Math.ceil(text.length / 4) };
    const onEvent = (event: ContextEvent) => void events.push(event);
    const conversations = await createConversations({ ...size, onEvent, onNotice: () => undefined, ...options });
    const history = [says('Read the parts.')];
    let sent = '';
    for (let part = 0; part < 25; part += 1) {
      const kept = await conversations.keep({
        received: receivedConversation(history, conversations.now()),
        ...{ system: ['Be brief.'], tools: null, model, contextWindow: size.window },
        signal: new AbortController().signal,
      });
      sent = JSON.stringify(kept.context.messages.map(({ parts }) => parts));
      const { total } = kept.context.tokens;
      kept.answer?.add({ type: 'text', text: `Reading ${part}.` });
      kept.answer?.add({ type: 'tool_call', callId: `part-${part}`, name: 'read', input: { path: `part-${part}` } });
      kept.answer?.add({ type: 'usage', usage: { input: 1000, output: 20, cacheRead: total - 1000, cacheWrite: 0 } });
      await kept.answer?.end('answered');
      kept.done();
      history.push(
        { ...replies(`Reading ${part}.`, `part-${part}`), thinking },
        returns([`part-${part}`, `Part ${part}. `.repeat(400)]),
      );
    }
    return { events, sent };
  }

  it('only output goes, and the event says when', async () => {
    const { events, sent } = await longTurn();
    expect(events.length).toBeGreaterThan(0);
    for (const event of events) expect(event).toMatchObject({ kind: 'cleared', moment: 'within-turn' });
    for (let part = 0; part < 24; part += 1) expect(sent).toContain(`Reading ${part}.`);
    expect(sent).toContain('Read the parts.');
  });

  it.each<[string, Partial<ConversationsOptions>]>([
    ['by size', { automation: { schedule: 'size' } }],
    ['where a model writes', { summarizer: withModel }],
    ['with a chosen target', { parameters: { ladder: { target: 0.5 } } }],
    ['where nothing is compacted automatically', { automation: { enabled: false } }],
  ])('nothing is cleared to save cost %s', async (_, options) => {
    expect(momentsOf(await longTurn(options))).not.toContain('within-turn');
  });

  it('nothing is cleared to save cost if prices are unknown', async () => {
    expect(momentsOf(await longTurn({}, 'a-model-without-prices'))).not.toContain('within-turn');
  });

  it('nothing is cleared to save cost if the model would lose its thinking', async () => {
    expect(momentsOf(await longTurn({}, 'claude-opus-5-5', 'first'))).not.toContain('within-turn');
    expect(momentsOf(await longTurn({}, 'claude-opus-5-5'))).toContain('within-turn');
    expect(momentsOf(await longTurn({}, 'claude-opus-5', 'first'))).toContain('within-turn');
  });

  it('a request is recorded and sent whole if clearing fails', async () => {
    vi.spyOn(Workbench.prototype, 'prepare').mockRejectedValue(new Error('No room.'));
    onTestFinished(() => void vi.restoreAllMocks());
    const notices: string[] = [];
    const { sent } = await longTurn({ onNotice: (notice) => void notices.push(notice) });
    expect(notices).toContain('Compacting failed: No room.');
    expect(notices.join()).not.toContain('could not be kept');
    for (let part = 0; part < 24; part += 1) expect(sent).toContain(`Part ${part}. Part ${part}.`);
  });

  function momentsOf({ events }: { readonly events: readonly ContextEvent[] }): string[] {
    return events.flatMap((event) => ('moment' in event ? event.moment : []));
  }
});
