import { AIMessage, HumanMessage } from '@langchain/core/messages';
import { Command, InMemoryStore, MemorySaver, MessagesAnnotation, START, StateGraph } from '@langchain/langgraph';
import { createDeepAgent, GENERAL_PURPOSE_SUBAGENT } from 'deepagents';
import {
  type AgentMiddleware,
  createMiddleware,
  humanInTheLoopMiddleware,
  modelRetryMiddleware,
  toolStrategy,
} from 'langchain';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import type { AgentContext, ContextEvent } from '../../../extension/library';
import { strataMiddleware, threadContext } from '../../../extension/library/langchain';
import { langgraphStore } from '../../../extension/library/stores';
import { answers, byHand, callsTool, long, type Program, program, type Reply, ScriptedModel, threadOf } from './agents';

const pin = 'Never touch part <7>.';
const thread = threadOf('thread-7');
const first = `Question <0>. ${long}`;
/** Compacts automatically when necessary. */
const automatically = { ...byHand, window: 4_000, automation: { schedule: 'size' as const } };

beforeAll(() => {
  vi.stubEnv('LANGSMITH_TRACING', 'false');
  vi.stubEnv('LANGCHAIN_TRACING_V2', 'false');
  return () => vi.unstubAllEnvs();
});

async function sixTurns({ ask }: Program): Promise<void> {
  for (let turn = 0; turn < 6; turn += 1) await ask(`Question <${turn}>. ${long}`, thread);
}

async function pinnedAndCompacted(running: Program): Promise<void> {
  await sixTurns(running);
  const context = await running.context(thread);
  await context.pin('constraint', pin);
  expect((await context.compact()).records).not.toEqual([]);
}

describe('an agent that has only a checkpointer', () => {
  it('has in another process the pins and compactions of its thread, and their undo', async () => {
    const checkpointer = new MemorySaver();
    const a = program({ checkpointer });
    await pinnedAndCompacted(a);
    const b = program({ checkpointer });
    const compacted = await b.ask('And in the other process?', thread);
    expect(compacted).toContain(pin);
    expect(compacted).not.toContain(first);
    await (await b.context(thread)).undo();
    const undone = await a.ask('And again here?', thread);
    expect(undone).toContain(pin);
    expect(undone).toContain(first);
    const again = await program({ checkpointer }).ask('And in a third?', thread);
    expect(again).toContain(first);
  });

  it('has in another process all that was compacted automatically, and is sent the same there', async () => {
    const checkpointer = new MemorySaver();
    const times: string[] = [];
    const onEvent = ({ kind, time }: ContextEvent) => void (kind === 'compacted' && times.push(time));
    const a = program({ checkpointer, conversations: { ...automatically, onEvent } });
    for (let turn = 0; turn < 24; turn += 1) await a.ask(`Question <${turn}>. ${long}`, thread);
    expect(times.length).toBeGreaterThan(3);
    const { compactions } = await a.context(thread);
    expect(new Set(compactions.map(({ record }) => record.run)).size).toBe(times.length);
    const { config } = await a.state(thread);
    const sent = await program({ checkpointer, conversations: automatically }).ask('Short.', config);
    expect(sent).not.toContain(first);
    expect(await a.ask('Short.', config)).toBe(sent);
  });

  it('compacts by cost in a process for each turn as in one for all of them, as was reported and when', async () => {
    let minute = 0;
    const effects = { now: () => new Date(minute * 60_000).toISOString() };
    const sentences: string[] = [];
    const onSchedule = (sentence: string) => void sentences.push(sentence);
    const automation = { enabled: true, floorTokens: 4_000, smallestTarget: 3_000 };
    const conversations = { ...byHand, window: 60_000, effects, automation, onSchedule };
    const sent = async (processes: () => Program) => {
      const all: string[] = [];
      for (minute = 0; minute < 300; minute += 10)
        all.push(await processes().ask(`Question <${minute}>. ${long}`, thread));
      return { all, sentences: sentences.splice(0) };
    };
    const one = program({ checkpointer: new MemorySaver(), conversations });
    const checkpointer = new MemorySaver();
    const inOne = await sent(() => one);
    expect(inOne.sentences.length).toBeGreaterThan(0);
    expect(inOne.all.at(-1)).not.toContain(first);
    expect((await sent(() => program({ checkpointer, conversations }))).all).toEqual(inOne.all);
  });

  it('excludes what was excluded before', async () => {
    const checkpointer = new MemorySaver();
    const a = program({ checkpointer });
    await sixTurns(a);
    const context = await a.context(thread);
    await context.exclude(context.entries[0]?.id ?? '');
    expect(await program({ checkpointer }).ask('Go on.', thread)).not.toContain('Question <0>');
  });

  it('has a pin that was made before its first request', async () => {
    const checkpointer = new MemorySaver();
    await (await program({ checkpointer }).context(thread)).pin('constraint', pin);
    expect(await program({ checkpointer }).ask('Hello.', thread)).toContain(pin);
  });

  it('loses no pin if several are made at once', async () => {
    const checkpointer = new MemorySaver();
    const programs = [program({ checkpointer }), program({ checkpointer })];
    await programs[0]?.ask('Hello.', thread);
    const contexts = await Promise.all(programs.map((running) => running.context(thread)));
    const pins = Array.from({ length: 12 }, (_, number) => `Never touch part <${number}>.`);
    await Promise.all(pins.map((text, number) => contexts[number % 2]?.pin('constraint', text)));
    const sent = await program({ checkpointer }).ask('Go on.', thread);
    expect(pins.filter((text) => !sent.includes(text))).toEqual([]);
  });

  it('says of a thread that its checkpointer could not write why, and pins nothing', async () => {
    const checkpointer = new MemorySaver();
    const a = program({ checkpointer });
    await a.ask('Hello.', thread);
    const context = await a.context(thread);
    vi.spyOn(checkpointer, 'put').mockRejectedValue(new Error('The disk is full.'));
    await expect(context.pin('constraint', pin)).rejects.toThrow(
      'The thread thread-7 could not be written to: The disk is full.',
    );
    expect(context.items).toEqual([]);
    vi.restoreAllMocks();
    expect(await a.ask('Go on.', thread)).not.toContain(pin);
  });

  it('has nothing of a fork in the history that it was made from, and of that nothing that came after', async () => {
    const checkpointer = new MemorySaver();
    const a = program({ checkpointer });
    await sixTurns(a);
    const { config: fork } = await a.state(thread);
    await (await a.context(thread)).pin('constraint', 'Only in the main history.');
    await (await a.context(thread)).compact();
    const main = await a.ask('Go on here.', thread);
    expect(main).toContain('Only in the main history.');
    expect(main).not.toContain(first);
    const { config: mainConfig } = await a.state(thread);

    const forked = await a.ask('Go on there.', fork);
    expect(forked).not.toContain('Only in the main history.');
    expect(forked).toContain(first);
    await (await a.context(thread)).pin('constraint', 'Only in the fork.');
    const other = program({ checkpointer });
    for (const { ask } of [a, other]) {
      const backInMain = await ask('Back.', mainConfig);
      expect(backInMain).toContain('Only in the main history.');
      expect(backInMain).not.toContain('Only in the fork.');
      expect(backInMain).not.toContain(first);
    }
  });

  it('has no pin of a later state if the same is said again from an earlier one, in the same process', async () => {
    const checkpointer = new MemorySaver();
    const a = program({ checkpointer });
    await a.ask('One.', thread);
    const { config: before } = await a.state(thread);
    await (await a.context(thread)).pin('constraint', pin);
    expect(await a.ask('Two.', thread)).toContain(pin);
    expect(await a.ask('Two.', before)).not.toContain(pin);
  });

  it('has a pin of its context in the process from the next request on, with the answer in its state, and in no fork from before', async () => {
    const checkpointer = new MemorySaver();
    const contexts: AgentContext[] = [];
    const onConversation = (context: AgentContext) => contexts.push(context);
    let number = 0;
    const reply: Reply = () => new AIMessage(`Answer number ${number++}.`);
    const a = program({ checkpointer, reply, conversations: { ...byHand, onConversation } });
    await a.ask('One.', thread);
    const { config: afterOne } = await a.state(thread);
    await a.ask('Two.', thread);
    const { config: afterTwo } = await a.state(thread);
    await contexts[0]?.pin('constraint', pin);
    // First other messages than those before the pin, then the same messages again from before their answer.
    expect(await a.ask('Other.', afterOne)).not.toContain(pin);
    expect(await a.ask('Two.', afterOne)).not.toContain(pin);
    expect(await a.ask('Three.', afterTwo)).toContain(pin);
    expect(await program({ checkpointer }).ask('Four.', thread)).toContain(pin);
  });

  it('pins at an older checkpoint in a history of its own', async () => {
    const checkpointer = new MemorySaver();
    const a = program({ checkpointer });
    await a.ask('One.', thread);
    const { config: older } = await a.state(thread);
    await a.ask('Two.', thread);
    const context = await a.context(older);
    await context.pin('constraint', pin);
    const sent = await a.ask('Three.', thread);
    expect(sent).toContain(pin);
    expect(sent).not.toContain('Two.');
  });

  it('two runs at once from one checkpoint each have their own history', async () => {
    const checkpointer = new MemorySaver();
    const a = program({ checkpointer });
    await pinnedAndCompacted(a);
    const { config: from } = await a.state(thread);
    await Promise.all(['Left.', 'Right.'].map((text) => a.ask(text, from)));
    const sent = a.model.asked.slice(-2);
    expect(sent.filter((text) => text.includes('Left.')).length).toBe(1);
    expect(sent.filter((text) => text.includes('Right.')).length).toBe(1);
    for (const text of sent) expect(text).toContain(pin);
    for (const text of sent) expect(text).not.toContain(first);
  });

  it('keeps a compaction if the call of the model after it fails, and takes no pins until its run continued', async () => {
    const checkpointer = new MemorySaver();
    const a = program({ checkpointer, conversations: automatically });
    await sixTurns(a);
    const { compactions } = await a.context(thread);
    let failures = 0;
    a.model.before = () => {
      failures += 1;
      if (failures < 3) throw new Error('The server had an error.');
    };
    await expect(a.ask(`Question <6>. ${long}`, thread)).rejects.toThrow('The server had an error.');
    const refused = (await a.context(thread)).pin('constraint', pin);
    await expect(refused).rejects.toThrow(
      /Nothing was written to the thread thread-7: its last call of the model failed/,
    );
    await expect(a.agent.invoke(null as never, thread)).rejects.toThrow('The server had an error.');
    await a.agent.invoke(null as never, thread);
    const sent = a.model.asked.slice(-3);
    expect(new Set(sent).size).toBe(1);
    await (await a.context(thread)).pin('constraint', pin);
    const b = program({ checkpointer, conversations: automatically });
    expect(await b.ask('Go on.', thread)).toContain(pin);
    const after = (await b.context(thread)).compactions;
    expect(after.slice(0, compactions.length)).toEqual(compactions);
  });

  it('is not compacted twice if other middleware repeats a failed or answered call', async () => {
    const checkpointer = new MemorySaver();
    const retry = modelRetryMiddleware({ maxRetries: 2, initialDelayMs: 1, jitter: false });
    const twice = createMiddleware({
      name: 'Twice',
      wrapModelCall: async (request, handler) => {
        await handler(request);
        return await handler(request);
      },
    });
    const a = program({ checkpointer, conversations: automatically, around: [retry, twice] as never[] });
    let calls = 0;
    a.model.before = () => {
      calls += 1;
      if (calls % 3 === 0) throw new Error('Busy.');
    };
    await sixTurns(a);
    const { compactions } = await a.context(thread);
    expect(compactions.length).toBeGreaterThan(0);
    const standing = compactions.flatMap(({ active, record }) =>
      active && record.swallowed.length === 0 ? record.entryIds : [],
    );
    expect(new Set(standing).size).toBe(standing.length);
    const fromState = await program({ checkpointer, conversations: automatically }).ask('Go on.', thread);
    const without = program({ checkpointer: new MemorySaver(), conversations: automatically });
    await sixTurns(without);
    expect(fromState).toBe(await without.ask('Go on.', thread));
  });

  it('takes a pin from another process while it waits for a person, and continues with it', async () => {
    const checkpointer = new MemorySaver();
    const others = [
      humanInTheLoopMiddleware({ interruptOn: { remove_part: true } } as never),
    ] as unknown as AgentMiddleware[];
    const a = program({ checkpointer, others, reply: callsTool });
    await a.ask('Remove the part.', thread);
    const b = program({ checkpointer, others, reply: callsTool });
    await (await b.context(thread)).pin('constraint', pin);
    const c = program({ checkpointer, others, reply: callsTool });
    const decided = new Command({ resume: { decisions: [{ type: 'approve' }] } });
    const { messages } = await c.agent.invoke(decided as never, thread);
    expect(messages.map(({ type }) => type)).toEqual(['human', 'ai', 'tool', 'ai']);
    expect(c.model.asked.at(-1)).toContain(pin);
  });

  it('keeps tenants apart that share a thread', async () => {
    const checkpointer = new MemorySaver();
    const acme = program({ checkpointer, middleware: { scope: 'acme' } });
    const globex = program({ checkpointer, middleware: { scope: 'globex' } });
    await acme.ask('Hello.', thread);
    await (await acme.context(thread)).pin('constraint', 'Only for acme.');
    expect(await globex.ask('Hello too.', thread)).not.toContain('Only for acme.');
    await (await globex.context(thread)).pin('constraint', 'Only for globex.');
    const sent = await program({ checkpointer, middleware: { scope: 'acme' } }).ask('Again.', thread);
    expect(sent).toContain('Only for acme.');
    expect(sent).not.toContain('Only for globex.');
  });

  it('can be pinned before the model’s failed first call is repeated, if it has tools', async () => {
    const checkpointer = new MemorySaver();
    const a = program({ checkpointer, reply: callsTool });
    a.model.before = () => {
      a.model.before = () => undefined;
      throw new Error('The server had an error.');
    };
    await expect(a.ask('Hello.', thread)).rejects.toThrow('The server had an error.');
    await (await a.context(thread)).pin('constraint', pin);
    await a.agent.invoke(null as never, thread);
    expect(a.model.asked.at(-1)).toContain(pin);
    expect(a.model.asked).toHaveLength(2);
  });

  it('keeps sub-agents that work at once apart from each other and from itself', async () => {
    const checkpointer = new MemorySaver();
    const delegates: Reply = (said) => {
      const last = said.at(-1);
      if (last?.type !== 'human' || !last.text.startsWith('Delegate')) return answers(said, []);
      const calls = ['left', 'right'].map((part) => ({
        ...{ id: `call-${part}`, name: 'task' },
        args: { description: `Look at ${part}.`, subagent_type: 'general-purpose' },
      }));
      return new AIMessage({ content: '', tool_calls: calls });
    };
    const running = () => {
      const model = new ScriptedModel(delegates);
      const strata = strataMiddleware({ ...byHand, pins: [{ kind: 'constraint', text: 'For all.' }] });
      const subagents = [{ ...GENERAL_PURPOSE_SUBAGENT, tools: [], middleware: [strata] }];
      const agent = createDeepAgent({
        model,
        middleware: [strata] as never,
        subagents: subagents as never,
        checkpointer,
      });
      return { model, agent };
    };
    const a = running();
    await a.agent.invoke({ messages: [new HumanMessage('Hello.')] } as never, thread as never);
    const context = await threadContext(a.agent, thread, { window: 16_000 });
    await context.pin('constraint', 'For the outer one.');
    const b = running();
    await b.agent.invoke({ messages: [new HumanMessage('Delegate it.')] } as never, thread as never);
    const sent = b.model.asked.filter((text) => !text.includes('Hello.'));
    expect(sent.map((text) => /Look at \w+/.exec(text)?.[0]).sort()).toEqual(['Look at left', 'Look at right']);
    for (const text of sent) expect(text.split('For all.')).toHaveLength(2);
    for (const text of sent) expect(text).not.toContain('For the outer one.');
    for (const text of b.model.asked.filter((one) => one.includes('Hello.'))) {
      expect(text).toContain('For the outer one.');
      expect(text.split('For all.')).toHaveLength(2);
    }
  });

  it('keeps the conversation of an agent within another graph in the process, from one run to the next', async () => {
    const contexts: AgentContext[] = [];
    const a = program({
      checkpointer: undefined as never,
      conversations: { ...byHand, onConversation: (context) => contexts.push(context) },
    });
    const outer = new StateGraph(MessagesAnnotation)
      .addNode('agent', a.agent.graph as never)
      .addEdge(START, 'agent')
      .compile({ checkpointer: new MemorySaver() });
    const ask = async (text: string, id: string) => {
      await outer.invoke({ messages: [new HumanMessage(text)] }, threadOf(id));
      return a.model.asked.at(-1) ?? '';
    };
    await ask('Hello.', 'one');
    await ask('Hello.', 'two');
    await contexts[0]?.pin('constraint', pin);
    expect(await ask('Again.', 'one')).toContain(pin);
    expect(await ask('Again.', 'two')).not.toContain(pin);
    expect(await ask('And again.', 'one')).toContain(pin);
    expect(contexts).toHaveLength(2);
  });

  it('has its journal in no input, no output and no request', async () => {
    const checkpointer = new MemorySaver();
    const a = program({ checkpointer });
    await pinnedAndCompacted(a);
    const given = { messages: [new HumanMessage('Go on.')], _StrataMiddleware: [{ scope: null, lines: ['{}'] }] };
    const output = await a.agent.invoke(given as never, thread);
    expect(Object.keys(output)).toEqual(['messages']);
    expect(a.model.asked.at(-1)).toContain(pin);
    expect(a.model.asked.at(-1)).not.toContain('checksum');
  });

  it('has its pins only in the store if it has a store too', async () => {
    const checkpointer = new MemorySaver();
    const store = new InMemoryStore();
    const a = program({
      checkpointer,
      more: { store },
      conversations: { ...byHand, pins: [{ kind: 'constraint', text: pin }] },
    });
    expect(await a.ask('Hello.', thread)).toContain(pin);
    expect((await langgraphStore({ client: store }).list('')).map(({ name }) => name)).toEqual(['thread-7']);
    const { values } = await a.state(thread);
    expect(JSON.stringify(values)).not.toContain('checksum');
  });

  it('reports that the pins in its checkpoints are not used if its agent got a store later', async () => {
    const checkpointer = new MemorySaver();
    const before = program({ checkpointer });
    await before.ask('Hello.', thread);
    await (await before.context(thread)).pin('constraint', pin);
    const notices: string[] = [];
    const conversations = { ...byHand, onNotice: (notice: string) => notices.push(notice) };
    const a = program({ checkpointer, conversations, more: { store: new InMemoryStore() } });
    for (const text of ['Again.', 'And again.']) expect(await a.ask(text, thread)).not.toContain(pin);
    expect(notices).toHaveLength(1);
    expect(notices[0]).toMatch(/The thread thread-7 has pins or compactions in its checkpoints/);
  });

  it('has the pins of its options once, in however many processes', async () => {
    const checkpointer = new MemorySaver();
    const conversations = { ...byHand, pins: [{ kind: 'constraint' as const, text: pin }] };
    for (const _ of [1, 2, 3]) {
      const sent = await program({ checkpointer, conversations }).ask('Hello.', thread);
      expect(sent.split(pin)).toHaveLength(2);
    }
    const { items } = await program({ checkpointer }).context(thread);
    expect(items.map(({ text }) => text)).toEqual([pin]);
  });

  it('saves the records of a call that ends in a structured answer together with the next answer', async () => {
    const checkpointer = new MemorySaver();
    const conversations = { ...byHand, pins: [{ kind: 'constraint' as const, text: pin }] };
    const more = { responseFormat: toolStrategy(z.object({ part: z.string() })) };
    const reply: Reply = (said, [tool = '']) =>
      said.at(-1)?.text === 'Structured.'
        ? new AIMessage({ content: '', tool_calls: [{ id: 'call-1', name: tool, args: { part: 'a' } }] })
        : answers(said, []);
    const a = program({ checkpointer, conversations, more, reply });
    const output = await a.agent.invoke({ messages: [new HumanMessage('Structured.')] }, thread);
    expect(output).toMatchObject({ structuredResponse: { part: 'a' } });
    await a.ask('Plain.', thread);
    expect((await a.context(thread)).items.map(({ text }) => text)).toEqual([pin]);
  });
});

describe('a journal in a checkpoint that cannot be used', () => {
  const newer = '{"checksum":"0000000000000000","record":{"kind":"none"}}';

  async function withState(change: (lines: string[]) => unknown) {
    const checkpointer = new MemorySaver();
    const a = program({ checkpointer });
    await pinnedAndCompacted(a);
    const { values } = await a.state(thread);
    const [journal] = values._StrataMiddleware ?? [];
    const changed = change([...(journal?.lines ?? [])]);
    // The journal as a later version would write it.
    const original = checkpointer.getTuple.bind(checkpointer);
    checkpointer.getTuple = async (config) => {
      const tuple = await original(config);
      if (tuple) tuple.checkpoint.channel_values._StrataMiddleware = changed;
      return tuple;
    };
    const notices: string[] = [];
    const conversations = { ...byHand, onNotice: (notice: string) => notices.push(notice) };
    return { notices, running: program({ checkpointer, conversations }) };
  }

  it('a damaged journal is reported with its thread, and the agent continues with what can be read', async () => {
    const { notices, running } = await withState((lines) => [
      { scope: null, lines: [...lines.slice(0, 2), newer, ...lines.slice(2)] },
    ]);
    const sent = await running.ask('Go on.', thread);
    expect(sent).toContain(pin);
    expect(sent).not.toContain(first);
    expect(notices).toHaveLength(1);
    expect(notices[0]).toMatch(/thread thread-7 .*line cannot be used/);
    await running.ask('And on.', thread);
    expect(notices).toHaveLength(1);
  });

  it('a journal of a newer version is not written to, and the agent continues', async () => {
    const { notices, running } = await withState((lines) => ({ version: 2, lines }));
    expect(await running.ask('Go on.', thread)).toContain(first);
    expect(notices[0]).toMatch(/thread thread-7 .*not a journal record.* in this process alone/);
    await expect((await running.context(thread)).pin('constraint', 'Another.')).rejects.toThrow(/thread-7/);
  });
});

it('an agent without a checkpointer has its conversation in memory', async () => {
  const a = program({
    checkpointer: undefined as never,
    conversations: { ...byHand, pins: [{ kind: 'constraint', text: pin }] },
  });
  const { messages } = await a.agent.invoke({ messages: [new HumanMessage('Hello.')] });
  expect(messages.at(-1)).toBeInstanceOf(AIMessage);
  expect(a.model.asked.at(-1)).toContain(pin);
});
