import { cpSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import type { AgentAnswer, AgentRequest } from '../../extension/inside/exchange';
import { askRunning } from '../../extension/inside/service/ask';

/**
 * Tests of what a plugin does when Strata accepts a request and does not answer: with real processes, and the real time
 * limit of three seconds.
 */

const source = resolve(import.meta.dirname, '../../extension/inside/plugin');
const enough = 30_000;

type Ask = (action: string, agent: string, request: object) => Promise<AgentAnswer>;

describe.concurrent('a plugin inside an agent', () => {
  it(
    'leaves it to the agent if a running Strata accepts connections and does not answer',
    async () => {
      const { ask, announce } = await plugin([process.execPath, '-e', 'console.log("{}")']);
      await announce(await silentServer());
      expect(await ask('compact', 'pi', {})).toEqual({
        kind: 'fallback',
        message: 'Strata: it runs, but says nothing for 3 seconds.',
      });
    },
    enough,
  );

  it(
    'does not ask a silent one again by itself, but does so for a person',
    async () => {
      const { ask, announce } = await plugin(['/nowhere/strata']);
      const server = await silentServer();
      let connections = 0;
      server.on('connection', () => {
        connections += 1;
      });
      await announce(server);
      await ask('hello', 'pi', {});
      const before = connections;
      const { message } = await ask('context', 'pi', {});
      expect(message).toBe('Strata: it gave no answer just now.');
      expect(connections).toBe(before);
      await ask('status', 'pi', {});
      expect(connections).toBeGreaterThan(before);
    },
    enough,
  );

  it(
    'leaves it to the agent if the command prints nothing',
    async () => {
      const { ask } = await plugin([process.execPath, '-e', 'setInterval(() => {}, 1000)', '--']);
      const { kind, message } = await ask('compact', 'pi', {});
      expect(kind).toBe('fallback');
      expect(message).toContain('says nothing for 3 seconds');
    },
    enough,
  );

  it(
    'waits longer for a command that has shown that it is there',
    async () => {
      const answer = { kind: 'said', message: 'After a while.' };
      const script = `console.log(); setTimeout(() => console.log(${JSON.stringify(JSON.stringify(answer))}), 3500)`;
      const { ask } = await plugin([process.execPath, '-e', script, '--']);
      expect(await ask('status', 'pi', {})).toEqual(answer);
    },
    enough,
  );

  it(
    'is told by the command which process is silent',
    async () => {
      const { announce, running } = await plugin(['/nowhere/strata']);
      await announce(await silentServer());
      const answer = await askRunning(running, 'pi', { action: 'status' } as AgentRequest);
      expect(answer?.message).toBe(`Strata: process ${process.pid} answers plugins, but says nothing for 3 seconds.`);
    },
    enough,
  );
});

const closings: (() => void)[] = [];
const { XDG_DATA_HOME } = process.env;
afterAll(() => {
  for (const close of closings) close();
  if (XDG_DATA_HOME === undefined) delete process.env.XDG_DATA_HOME;
  else process.env.XDG_DATA_HOME = XDG_DATA_HOME;
});

/** The plugin as it is installed, in a home of its own. */
async function plugin(command: readonly string[]) {
  const home = mkdtempSync(join(tmpdir(), 'strata-silent-'));
  const folder = join(home, 'plugin');
  cpSync(source, folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  writeFileSync(join(folder, 'command.js'), `export const command = ${JSON.stringify(command)};\n`);
  const loaded = (await import(/* @vite-ignore */ pathToFileURL(join(folder, 'ask.js')).href)) as { ask: Ask };
  // The variable is read before anything else happens, so tests may run side by side.
  const ask: Ask = (...asked) => {
    process.env.XDG_DATA_HOME = home;
    return loaded.ask(...asked);
  };
  const running = join(home, 'strata/agents/running.json');
  const announce = async (server: Server) => {
    const { port } = server.address() as { port: number };
    mkdirSync(join(running, '..'), { recursive: true });
    const token = 'a token of enough letters';
    const found = { pid: process.pid, url: `http://127.0.0.1:${port}`, token };
    writeFileSync(running, JSON.stringify(found), { mode: 0o600 });
  };
  return { ask, announce, running };
}

/** Accepts every connection and never writes to one. */
async function silentServer(): Promise<Server> {
  const open = new Set<Socket>();
  const server = createServer((socket) => {
    open.add(socket);
    socket.on('error', () => undefined);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  closings.push(() => {
    for (const socket of open) socket.destroy();
    server.close();
  });
  return server;
}
