import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { MemorySaver } from '@langchain/langgraph';
import { PostgresSaver } from '@langchain/langgraph-checkpoint-postgres';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type RunningServer, startPostgres } from '../../conversations/stores/servers';
import { closedTogether } from '../../conversations/stores/with-servers';
import { long, program, threadOf } from './agents';

const pin = 'Never touch part <7>.';
const thread = threadOf('thread-7');
const first = `Question <0>. ${long}`;

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

/** The checkpointer of each process: the same object, or a new connection. */
const savers: Readonly<Record<string, () => () => Promise<MemorySaver | PostgresSaver>>> = {
  MemorySaver: () => {
    const saver = new MemorySaver();
    return async () => saver;
  },
  PostgresSaver: () => {
    const close = closedTogether(postgres);
    return async () => {
      const saver = PostgresSaver.fromConnString(postgres.address);
      close(() => saver.end());
      await saver.setup();
      return saver;
    };
  },
};

it('an agent whose checkpointer encrypts has nothing readable of its journal in it, and its pin in another process', async () => {
  const key = randomBytes(32);
  const plain = new MemorySaver().serde;
  const serde: NonNullable<ConstructorParameters<typeof MemorySaver>[0]> = {
    async dumpsTyped(value) {
      const [type, bytes] = await plain.dumpsTyped(value);
      const nonce = randomBytes(12);
      const cipher = createCipheriv('aes-256-gcm', key, nonce);
      const sealed = Buffer.concat([cipher.update(bytes), cipher.final()]);
      return [type, Buffer.concat([nonce, cipher.getAuthTag(), sealed])];
    },
    async loadsTyped(type, value) {
      const bytes = Buffer.from(value as Uint8Array);
      const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, 12)).setAuthTag(bytes.subarray(12, 28));
      return await plain.loadsTyped(type, Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()]));
    },
  };
  const checkpointer = new MemorySaver(serde);
  const a = program({ checkpointer });
  await a.ask('Hello.', thread);
  await (await a.context(thread)).pin('constraint', pin);
  expect(await program({ checkpointer }).ask('Go on.', thread)).toContain(pin);
  const stored = Object.values(checkpointer.storage['thread-7']?.[''] ?? {}).map(([bytes]) =>
    Buffer.from(bytes).toString('utf8'),
  );
  expect(stored.length).toBeGreaterThan(3);
  expect(stored.filter((text) => /Never touch|checksum|Hello/.test(text))).toEqual([]);
});

describe.each(Object.entries(savers))('an agent with a %s', (_kind, place) => {
  it('has in each process the pins and compactions of its thread, their undo, and nothing of a fork', async () => {
    const saver = place();
    const process = async () => program({ checkpointer: await saver() });
    const a = await process();
    for (let turn = 0; turn < 6; turn += 1) await a.ask(`Question <${turn}>. ${long}`, thread);
    const { config: fork } = await a.state(thread);
    const context = await a.context(thread);
    await context.pin('constraint', pin);
    expect((await context.compact()).records).not.toEqual([]);

    const b = await process();
    const compacted = await b.ask('And in the other process?', thread);
    expect(compacted).toContain(pin);
    expect(compacted).not.toContain(first);
    const { config: main } = await b.state(thread);

    const forked = await (await process()).ask('Go on there.', fork);
    expect(forked).not.toContain(pin);
    expect(forked).toContain(first);

    await (await b.context(main)).undo();
    const undone = await a.ask('And again here?', thread);
    expect(undone).toContain('And in the other process?');
    expect(undone).toContain(pin);
    expect(undone).toContain(first);
  }, 60_000);

  const agents = 40;
  it(`has the pins of ${agents} agents at once, and another process has them too`, async () => {
    const saver = place();
    const processes = [program({ checkpointer: await saver() }), program({ checkpointer: await saver() })];
    const missing = await Promise.all(
      Array.from({ length: agents }, async (_, agent) => {
        const own = threadOf(`agent-${agent}`);
        await processes[0]?.ask(`Hello from ${agent}.`, own);
        const context = await processes[agent % 2]?.context(own);
        await context?.pin('constraint', `Never touch part <${agent}>.`);
        const isWrong = async (running: (typeof processes)[number], text: string) => {
          await running.ask(text, own);
          const sent = running.model.asked.findLast((one) => one.includes(text)) ?? '';
          const pins = [...sent.matchAll(/Never touch part <(\d+)>/g)].map(([, number]) => Number(number));
          return pins.length !== 1 || pins[0] !== agent;
        };
        let wrong = 0;
        for (const [round, running] of processes.entries())
          if (await isWrong(running, `Go on with ${agent} in ${round}.`)) wrong += 1;
        return wrong;
      }),
    );
    expect(missing.reduce((total, one) => total + one, 0)).toBe(0);
  }, 120_000);
});
