import { beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { type Conversations, createConversations } from '../../../extension/library/conversations';
import type { ConversationsOptions } from '../../../extension/library/conversations-options';
import { anthropicDoors, type Door } from './doors';
import { StrictAnthropic } from './strict-anthropic';
import { type Strictness, type StrictServer, startStrictServer } from './strict-server';

beforeAll(() => {
  vi.stubEnv('LANGSMITH_TRACING', 'false');
  vi.stubEnv('LANGCHAIN_TRACING_V2', 'false');
  return () => vi.unstubAllEnvs();
});

const usualWindow = 16_000;
const stepsOfTurn = 24;
const usualTurns = 12;

interface Played {
  readonly server: StrictServer;
  readonly conversations: Conversations;
}

interface Play {
  readonly strictness: Strictness;
  readonly model: string;
  readonly window?: number;
  readonly turns?: number;
  readonly options?: Partial<ConversationsOptions>;
  /** Called after each turn. */
  readonly between?: (conversations: Conversations, turn: number) => Promise<void>;
}

/** Runs of 300 requests. */
async function played(door: Door, play: Play): Promise<Played> {
  const { strictness, model, options, between, window = usualWindow, turns = usualTurns } = play;
  const server = await startStrictServer({ strictness, window, steps: stepsOfTurn });
  onTestFinished(() => server.close());
  const conversations = await createConversations({ window, onNotice: () => undefined, ...options });
  const agent = await door({ address: server.address, model, conversations });
  for (let turn = 0; turn < turns; turn += 1) {
    await agent(`Look at part ${turn} of the work.`);
    await between?.(conversations, turn);
  }
  return { server, conversations };
}

const pins = [{ kind: 'constraint', text: 'Never push.' }] as const;

/** Share of the requests with results that have thinking: not those directly after a compaction. */
function thoughtful({ accepted }: StrictServer): number {
  const open = accepted.filter((body) => JSON.stringify(body).includes('"tool_result"'));
  return open.filter((body) => JSON.stringify(body).includes('"type":"thinking"')).length / open.length;
}

describe.each(Object.entries(anthropicDoors))('a run of 300 steps through %s', (_name, door) => {
  it.each(['claude-opus-5-5', 'claude-opus-4-6'])(
    'is accepted whole by %s',
    async (model) => {
      const { server } = await played(door, {
        strictness: new StrictAnthropic(model.includes('5-5')),
        model,
        options: { pins },
        between: async ({ newest }, turn) => {
          if (turn === 5) await newest?.undo();
          if (turn === 8) await newest?.pin('constraint', 'Never rename.');
        },
      });
      expect(server.refused).toEqual([]);
      expect(server.accepted).toHaveLength(usualTurns * (stepsOfTurn + 1));
      expect(thoughtful(server)).toBeGreaterThan(0.9);
      expect(JSON.stringify(server.accepted.at(-1))).toMatch(/SUMMARIZED|CLEARED/);
    },
    300_000,
  );

  it('begins its last reply with thinking where only the newest step stays', async () => {
    const play = { strictness: new StrictAnthropic(false), model: 'claude-opus-4-6', window: 4_000, turns: 2 };
    const { server } = await played(door, play);
    expect(server.refused).toEqual([]);
    expect(JSON.stringify(server.accepted.at(-1))).toContain('SUMMARIZED');
  }, 300_000);
});
