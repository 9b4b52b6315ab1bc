import { HumanMessage } from '@langchain/core/messages';
import { type BaseStore, InMemoryStore, MemorySaver } from '@langchain/langgraph';
import { PostgresSaver } from '@langchain/langgraph-checkpoint-postgres';
import { PostgresStore } from '@langchain/langgraph-checkpoint-postgres/store';
import { ChatOpenAI } from '@langchain/openai';
import { createAgent } from 'langchain';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { createConversations } from '../../extension/library';
import { strataMiddleware } from '../../extension/library/langchain';
import { langgraphStore, storeShelf } from '../../extension/library/stores';
import { startModelServer } from '../builders/scripted-model-server';
import { type RunningServer, startPostgres } from '../conversations/stores/servers';
import { closedTogether } from '../conversations/stores/with-servers';
import { modelWithWindow } from '../middleware/frameworks/window-model';

const window = 16_000;
const scope = 'acme';
const pin = 'Never touch part <7>.';

let postgres: RunningServer;
beforeAll(async () => {
  vi.stubEnv('LANGSMITH_TRACING', 'false');
  vi.stubEnv('LANGCHAIN_TRACING_V2', 'false');
  postgres = await startPostgres();
}, 60_000);
afterAll(async () => {
  vi.unstubAllEnvs();
  await postgres?.stop();
});

/** Shared by two processes: a server, or the same object. */
const kinds: Readonly<Record<string, () => Promise<() => Promise<Pick<Process, 'store' | 'checkpointer'>>>>> = {
  'in memory': async () => {
    const shared = { store: new InMemoryStore(), checkpointer: new MemorySaver() };
    return async () => shared;
  },
  'in Postgres': async () => {
    const close = closedTogether(postgres);
    return async () => {
      const store = PostgresStore.fromConnString(postgres.address);
      const checkpointer = PostgresSaver.fromConnString(postgres.address);
      close(() => store.stop());
      close(() => checkpointer.end());
      await store.setup();
      await checkpointer.setup();
      return { store, checkpointer };
    };
  },
};

interface Process {
  readonly store: BaseStore;
  readonly checkpointer: MemorySaver | PostgresSaver;
}

describe.each(Object.entries(kinds))('an agent of LangGraph with a store %s', (_, place) => {
  it('has on its thread the pin and the compaction that another process made, and the other way round their undo', async () => {
    const opened = await place();
    const server = await startModelServer(modelWithWindow(window, () => []));
    onTestFinished(() => server.close());
    const model = new ChatOpenAI({
      ...{ model: 'gpt-4o-mini', apiKey: 'none', maxRetries: 0 },
      configuration: { baseURL: server.baseUrl },
    });
    const program = async () => {
      const { store, checkpointer } = await opened();
      const middleware = [strataMiddleware({ window, automation: { enabled: false } }, { scope })];
      const agent = createAgent({ model, tools: [], middleware, store, checkpointer });
      const conversations = await createConversations({ window, shelf: storeShelf(langgraphStore({ client: store })) });
      return {
        ask: async (text: string) => {
          const configurable = { configurable: { thread_id: 'thread.7' } };
          await agent.invoke({ messages: [new HumanMessage(text)] }, configurable);
          return JSON.stringify(server.asked.at(-1)?.body.messages);
        },
        context: () => conversations.conversation({ conversation: 'thread.7', scope }),
      };
    };
    const long = 'It goes on. '.repeat(250);
    const a = await program();
    for (let turn = 0; turn < 6; turn += 1) await a.ask(`Question <${turn}>. ${long}`);
    const context = await a.context();
    await context.pin('constraint', pin);
    const run = await context.compact();
    expect(run.records).not.toEqual([]);

    const b = await program();
    const compacted = await b.ask('And in the other process?');
    expect(compacted).toContain(pin);
    expect(compacted).not.toContain(`Question <0>. ${long}`);
    await (await b.context()).undo();

    const undone = await a.ask('And again here?');
    expect(undone).toContain(pin);
    for (let turn = 0; turn < 6; turn += 1) expect(undone).toContain(`Question <${turn}>. ${long}`);
    // Asserts that nothing is visible to another tenant.
    const { store } = await opened();
    expect(await langgraphStore({ client: store }).list('other')).toEqual([]);
    expect(await langgraphStore({ client: store }).list(scope)).toMatchObject([{ name: 'thread.7' }]);
  }, 60_000);
});
