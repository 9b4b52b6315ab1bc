import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { storeShelf } from '../../extension/conversations/stores/store-shelf';
import { buildTimeoutMs, built } from '../builders/built';
import { type RestartableServer, startPostgres, startRedis } from '../conversations/stores/servers';
import { openers } from '../conversations/stores/stores';
import { startUpstream } from '../gateway/upstream';
import { answersLastPrompt, type Chat, serving, turn } from './serving';

/** Tests of an outage: a real server stops while `strata serve` runs, and starts again. */

let command: string;
beforeAll(async () => {
  command = join(await built('cli'), 'cli/strata.js');
}, buildTimeoutMs);

const starters: Readonly<Record<'postgres' | 'redis', () => Promise<RestartableServer>>> = {
  postgres: startPostgres,
  redis: startRedis,
};

describe.each(['postgres', 'redis'] as const)('an outage of %s', (kind) => {
  async function begun() {
    const server = await starters[kind]();
    onTestFinished(() => server.stop());
    const upstream = await startUpstream(() => undefined);
    answersLastPrompt(upstream);
    const strata = async (...words: readonly string[]) => {
      const args = [command, '--in', server.address, '--tenant', 'acme', ...words];
      return (await promisify(execFile)(process.execPath, args, { timeout: 60_000 })).stdout;
    };
    return {
      server,
      strata,
      serve: (...options: readonly string[]) => serving(command, server.address, upstream, ...options),
      /** The body of the newest request to the provider. */
      sent: () => upstream.received.at(-1)?.body.toString('utf8') ?? '',
      /** The messages of each stored conversation of the tenant. */
      async stored() {
        const store = await openers[kind](server.address);
        const shelf = storeShelf(store);
        const opened = await Promise.all((await shelf.list('acme')).map(({ id }) => shelf.open(id, 'acme')));
        await store.close();
        return opened.map(({ conversation: { conversation } }) =>
          conversation.agentContext.map(({ parts }) => parts.map((part) => ('text' in part ? part.text : '')).join('')),
        );
      },
    };
  }

  const textsOf = (history: readonly Chat[]) => history.map(({ content }) => content);

  it('ends neither pins nor undo: the conversation comes back by itself with what happened meanwhile', async () => {
    const { server, strata, serve, sent, stored } = await begun();
    const process = await serve();
    const history: Chat[] = [];
    await turn(process, 'thread-7', history, 'one');
    await strata('pin', 'thread-7', '--constraint', 'Never push.');
    await turn(process, 'thread-7', history, 'two');
    await server.halt();
    for (const prompt of ['three', 'four']) {
      await turn(process, 'thread-7', history, prompt);
      expect(sent()).toContain('Never push.');
    }
    await expect.poll(process.ready).toMatch(/^503 .*\ndegraded: 1 conversation in memory, not in the store$/s);
    expect(process.log()).toMatch(/"kind":"moved-to-memory".*"conversation":"thread-7"/);
    await server.resume();
    await expect.poll(process.ready, { timeout: 30_000 }).toBe('200 ready');
    expect(process.log()).toMatch(/"kind":"returned".*"conversation":"thread-7"/);
    expect(await stored()).toEqual([textsOf(history)]);
    await strata('pin', 'thread-7', '--constraint', 'Never force.');
    await turn(process, 'thread-7', history, 'five');
    for (const pin of ['Never push.', 'Never force.']) expect(sent()).toContain(pin);
    expect(await process.end()).toBe(0);
    expect(await stored()).toEqual([textsOf(history)]);
  }, 120_000);

  it('has the process store everything before it ends, if the store answers then', async () => {
    const { server, serve, stored } = await begun();
    const process = await serve();
    const history: Chat[] = [];
    await turn(process, 'thread-7', history, 'one');
    await server.halt();
    await turn(process, 'thread-7', history, 'two');
    await server.resume();
    expect(await process.end()).toBe(0);
    expect(await stored()).toEqual([textsOf(history)]);
  }, 120_000);

  it.each(['thread-7', null])(
    'splits no conversation of a process that starts meanwhile, with the key %s',
    async (key) => {
      const { server, strata, serve, sent, stored } = await begun();
      const first = await serve();
      const history: Chat[] = [];
      await turn(first, key, history, 'one');
      const id = key ?? JSON.parse(await strata('conversations', '--json')).conversations[0].id;
      await strata('pin', id, '--constraint', 'Never push.');
      expect(await first.end()).toBe(0);
      await server.halt();
      const second = await serve();
      expect(await second.ready()).toBe('503 the store cannot be reached');
      await turn(second, key, history, 'two');
      await turn(second, key, history, 'three');
      expect(await second.ready()).toContain('degraded: 1 conversation in memory');
      await server.resume();
      await expect.poll(second.ready, { timeout: 30_000 }).toBe('200 ready');
      expect(await stored()).toEqual([textsOf(history)]);
      await turn(second, key, history, 'four');
      expect(sent()).toContain('Never push.');
      expect(await second.end()).toBe(0);
      expect(await stored()).toEqual([textsOf(history)]);
    },
    120_000,
  );

  it('leaves a conversation without a key in one piece', async () => {
    const { server, strata, serve, sent, stored } = await begun();
    const process = await serve();
    const history: Chat[] = [];
    await turn(process, null, history, 'one');
    const [{ id }] = JSON.parse(await strata('conversations', '--json')).conversations;
    await strata('pin', id, '--constraint', 'Never push.');
    await turn(process, null, history, 'two');
    await server.halt();
    await turn(process, null, history, 'three');
    expect(sent()).toContain('Never push.');
    await server.resume();
    await expect.poll(process.ready, { timeout: 30_000 }).toBe('200 ready');
    expect(await stored()).toEqual([textsOf(history)]);
    expect(await process.end()).toBe(0);
  }, 120_000);
});
