import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { conversationFolder } from '../../../extension/conversations/shelves/conversation-folder';
import { type Conversations, createConversations } from '../../../extension/library/conversations';
import type { ConversationsOptions } from '../../../extension/library/conversations-options';
import { compactingFetch } from '../../../extension/library/fetch';
import * as s from '../../../extension/platform/json/schemas';
import { chatAgent } from '../sdk-agents';
import { anthropicDoors, chatDoors, type Door, geminiChatDoors, geminiDoors, responsesDoors } from './doors';
import { StrictAnthropic } from './strict-anthropic';
import { StrictGemini, StrictGeminiChat } from './strict-gemini';
import { StrictChat, StrictResponses } from './strict-openai';
import { type Strictness, type StrictServer, startStrictServer } from './strict-server';

beforeAll(() => {
  vi.stubEnv('LANGSMITH_TRACING', 'false');
  vi.stubEnv('LANGCHAIN_TRACING_V2', 'false');
  return () => vi.unstubAllEnvs();
});

const usualWindow = 16_000;
const usualSteps = 24;
const usualTurns = 12;

interface Played {
  readonly server: StrictServer;
  readonly conversations: Conversations;
}

interface Play {
  readonly strictness: Strictness;
  readonly model: string;
  readonly window?: number;
  /** Characters per token, as the server counts. */
  readonly tokenLength?: number;
  readonly turns?: number;
  /** Number of steps in each turn. */
  readonly steps?: number;
  readonly options?: Partial<ConversationsOptions>;
  /** Called after each turn. */
  readonly between?: (conversations: Conversations, turn: number) => Promise<void>;
}

/** Plays a run of 300 requests, unless it says otherwise. */
async function played(door: Door, play: Play): Promise<Played> {
  const { strictness, model, options, between, window = usualWindow, tokenLength = 4 } = play;
  const { turns = usualTurns, steps = usualSteps } = play;
  const server = await startStrictServer({ strictness, window, steps, tokenLength });
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

/** Share of the requests with results that contain thinking. Those directly after a compaction lack it. */
function thoughtful({ accepted }: StrictServer): number {
  const open = accepted.filter((body) => JSON.stringify(body).includes('"tool_result"'));
  return open.filter((body) => JSON.stringify(body).includes('"type":"thinking"')).length / open.length;
}

/** A run with a pin from the beginning, an undo, and a pin in between. */
const changing = {
  options: { pins },
  between: async ({ newest }, turn) => {
    if (turn === 5) await newest?.undo();
    if (turn === 8) await newest?.pin('constraint', 'Never rename.');
  },
} satisfies Partial<Play>;

const requestsOf = (steps: number) => usualTurns * (steps + 1);

function expectAccepted({ refused, accepted }: StrictServer, steps = usualSteps): void {
  expect(refused).toEqual([]);
  expect(accepted).toHaveLength(requestsOf(steps));
  expect(JSON.stringify(accepted.at(-1))).toMatch(/SUMMARIZED|CLEARED/);
}

describe.each(Object.entries(anthropicDoors))('a run of 300 steps through %s', (_name, door) => {
  it.each(['claude-opus-5-5', 'claude-opus-4-6'])(
    'is accepted whole by %s',
    async (model) => {
      const { server } = await played(door, {
        strictness: new StrictAnthropic(model.includes('5-5')),
        model,
        ...changing,
      });
      expectAccepted(server);
      expect(thoughtful(server)).toBeGreaterThan(0.9);
    },
    300_000,
  );

  it('begins its last reply with thinking if only the newest step stays', async () => {
    const play = { strictness: new StrictAnthropic(false), model: 'claude-opus-4-6', window: 4_000, turns: 2 };
    const { server } = await played(door, play);
    expect(server.refused).toEqual([]);
    expect(JSON.stringify(server.accepted.at(-1))).toContain('SUMMARIZED');
  }, 300_000);
});

/**
 * One model for each set of rules of a provider: models under the same rules are recorded and rewritten in the same
 * way.
 */
const openAiModels = ['gpt-5.5'];
const geminiModels = ['gemini-3.8-flash', 'gemini-2.5-pro'];

const gemini = (model: string) => new StrictGemini(!model.includes('-2.5-'));

interface Provider {
  readonly name: string;
  readonly doors: Readonly<Record<string, Door>>;
  readonly models: readonly string[];
  readonly strictness: (model: string) => Strictness;
}

const providers: readonly Provider[] = [
  { name: 'OpenAI', doors: chatDoors, models: openAiModels, strictness: () => new StrictChat() },
  { name: 'OpenAI', doors: responsesDoors, models: openAiModels, strictness: () => new StrictResponses() },
  { name: 'Google', doors: geminiDoors, models: geminiModels, strictness: gemini },
  { name: 'Google', doors: geminiChatDoors, models: ['gemini-3.8-flash'], strictness: () => new StrictGeminiChat() },
];

/** A door with the same requests as another one, but without streaming or without thoughts in the answers. */
const hasTwin = (door: string, doors: Provider['doors']) =>
  `${door} streamed` in doors || `${door}, thoughts included` in doors;

describe.each(
  providers.flatMap(({ name, doors, models, strictness }) =>
    Object.entries(doors).map(([door, through]) => {
      const steps = hasTwin(door, doors) ? 8 : usualSteps;
      return { name, door, through, models, strictness, steps, requests: requestsOf(steps) };
    }),
  ),
)('a run of $requests steps to $name through $door', ({ through, models, strictness, steps }) => {
  it.each(models)(
    'is accepted whole by %s',
    async (model) => {
      const { server } = await played(through, { strictness: strictness(model), model, steps, ...changing });
      expectAccepted(server, steps);
    },
    300_000,
  );

  it('is accepted whole if only the newest step stays', async () => {
    const [model = ''] = models;
    const play = { strictness: strictness(model), model, window: 4_000, turns: 3 };
    const { server } = await played(through, play);
    expect(server.refused).toEqual([]);
    expect(JSON.stringify(server.accepted.at(-1))).toContain('SUMMARIZED');
  }, 300_000);
});

/** The parts of a request that a provider caches: everything before its messages, and each message. */
function cachedParts({ system, instructions, systemInstruction, messages, input, contents }: s.JsonRecord): string[] {
  const said = s.jsonRecords(messages ?? input ?? contents);
  return [{ system, instructions, systemInstruction }, ...said].map((part) =>
    JSON.stringify(part, (key, value) => (key === 'cache_control' ? undefined : value)),
  );
}

/** Asserts that each request begins with the previous one, so that its provider reads that part from the cache. */
function expectGrowing(sent: readonly (readonly string[])[]): void {
  for (const [at, parts] of sent.entries()) {
    const before = sent[at - 1] ?? [];
    expect(parts.slice(0, before.length)).toEqual(before);
  }
}

/** Runs in which nothing is compacted automatically. */
const roomy = { window: 400_000, turns: 5, steps: 6 };

describe.each<[string, Door, Strictness, string]>([
  ...Object.entries(anthropicDoors).map(([name, door]): [string, Door, Strictness, string] => [
    name,
    door,
    new StrictAnthropic(true),
    'claude-opus-5-5',
  ]),
  ['fetch, chat', chatDoors['fetch, chat'] as Door, new StrictChat(), 'gpt-5.5'],
  ['AI SDK, chat', chatDoors['AI SDK, chat'] as Door, new StrictChat(), 'gpt-5.5'],
  ['LangChain, chat', chatDoors['LangChain, chat'] as Door, new StrictChat(), 'gpt-5.5'],
  ['fetch, responses', responsesDoors['fetch, responses'] as Door, new StrictResponses(), 'gpt-5.5'],
  ['AI SDK, Gemini', geminiDoors['AI SDK'] as Door, new StrictGemini(true), 'gemini-3.8-flash'],
])('a pin in the middle of a run through %s', (_name, door, strictness, model) => {
  it.each([[[]], [pins]])(
    'leaves the prompt before it as it was, with %j from the beginning',
    async (given) => {
      const { server } = await played(door, {
        ...{ strictness, model, ...roomy, options: { pins: given } },
        between: async ({ newest }, turn) => {
          if (turn === 1) await newest?.pin('constraint', 'Never rename.');
          if (turn === 3) await newest?.pin('decision', 'Ports are numbers.');
        },
      });
      expect(server.refused).toEqual([]);
      expectGrowing(server.accepted.map(cachedParts));
      const last = JSON.stringify(server.accepted.at(-1));
      for (const text of [...given.map((pin) => pin.text), 'Never rename.', 'Ports are numbers.'])
        expect(last.split(text)).toHaveLength(2);
    },
    300_000,
  );

  it('is taken back and edited after the prompt that was sent before', async () => {
    const { server } = await played(door, {
      ...{ strictness, model, ...roomy, options: { pins } },
      between: async ({ newest }, turn) => {
        const [first, second] = newest?.items ?? [];
        if (turn === 1) await newest?.pin('constraint', 'Never rename.');
        if (turn === 2 && second) await newest?.editItem(second.id, 'Never rename exports.');
        if (turn === 3 && first) await newest?.changeItem(first.id, 'superseded');
        if (turn === 3 && second) await newest?.changeItem(second.id, 'done');
      },
    });
    expect(server.refused).toEqual([]);
    expectGrowing(server.accepted.map(cachedParts));
    const last = JSON.stringify(server.accepted.at(-1));
    expect(last.split('No Longer in Force')).toHaveLength(4);
    for (const text of ['Never push.', 'Never rename.', 'Never rename exports.'])
      expect(last.lastIndexOf('No Longer in Force', last.lastIndexOf(text))).toBeGreaterThan(-1);
  }, 300_000);

  it('is where it was before once a compaction after it is undone', async () => {
    const { server } = await played(door, {
      ...{ strictness, model, ...roomy, steps: 12, options: { pins } },
      between: async ({ newest }, turn) => {
        if (turn === 1) await newest?.pin('constraint', 'Never rename.');
        if (turn === 2) await newest?.compact();
        if (turn === 3) await newest?.undo();
      },
    });
    expect(server.refused).toEqual([]);
    const perTurn = server.accepted.length / 5;
    const sent = server.accepted.map(cachedParts);
    expect(sent[perTurn * 3]?.join('')).toContain('[CLEARED]');
    const [before = [], after = []] = [sent[perTurn * 3 - 1], sent[perTurn * 4]];
    expect(after.slice(0, before.length)).toEqual(before);
  }, 300_000);
});

/** A provider that counts twice as many tokens as Strata, and accepts a third of its nominal window. */
const strict = { tokenLength: 2, turns: 3, options: { window: 48_000 } };

const refusingDoors: readonly RefusingDoor[] = [
  ...refusing(anthropicDoors, 'claude-opus-5-5', () => new StrictAnthropic(true)),
  ...refusing(chatDoors, 'gpt-5.5', () => new StrictChat()),
  ...refusing(responsesDoors, 'gpt-5.5', () => new StrictResponses()),
  ...refusing(geminiDoors, 'gemini-3.8-flash', () => new StrictGemini(true)),
];

interface RefusingDoor {
  readonly name: string;
  readonly door: Door;
  readonly model: string;
  readonly strictness: () => Strictness;
}

function refusing(doors: Readonly<Record<string, Door>>, model: string, strictness: () => Strictness): RefusingDoor[] {
  return Object.entries(doors).map(([name, door]) => ({ name, door, model, strictness }));
}

describe.each(refusingDoors)('$model that refuses a request as too long, through $name', (refusing) => {
  it('a refusal teaches the limit of its model, and the run continues', async () => {
    const { door, model, strictness } = refusing;
    const { server } = await played(door, { ...strict, model, strictness: strictness() });
    expect(server.accepted).toHaveLength(strict.turns * (usualSteps + 1));
    expect(server.refused.length).toBeGreaterThan(0);
    expect(server.refused.length).toBeLessThan(4);
  }, 300_000);
});

it('the limit from a refusal is stored with its conversation', async () => {
  const server = await startStrictServer({
    strictness: new StrictChat(),
    window: usualWindow,
    steps: usualSteps,
    tokenLength: 2,
  });
  const folder = mkdtempSync(join(tmpdir(), 'strata-limits-'));
  onTestFinished(() => {
    server.close();
    rmSync(folder, { recursive: true });
  });
  const opened = async () => {
    const shelf = conversationFolder({ folder, cwd: null, madeBy: 'library', onWarning: () => undefined });
    return compactingFetch(await createConversations({ ...strict.options, shelf, onNotice: () => undefined }));
  };
  let through = await opened();
  const fetch: typeof globalThis.fetch = (input, init) => through(input, init);
  const agent = chatAgent({ address: server.address, fetch, streams: false });
  for (let turn = 0; turn < 2; turn += 1) await agent(`Look at part ${turn} of the work.`);
  const before = server.refused.length;
  expect(before).toBeGreaterThan(0);
  through = await opened();
  for (let turn = 2; turn < 5; turn += 1) await agent(`Look at part ${turn} of the work.`);
  expect(server.refused).toHaveLength(before);
}, 300_000);
