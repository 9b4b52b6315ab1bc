import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createAdaptorServer } from '@hono/node-server';
import { Hono } from 'hono';
import * as v from 'valibot';
import { answerAgent } from '../answer';
import type { AgentServices } from '../call';
import { agentRequest } from '../exchange';
import { announceRunning, findRunning, type RunningStrata, withdrawRunning } from './running';

export interface AgentService {
  close(): Promise<void>;
}

const host = '127.0.0.1';

/** How often a Strata checks whether the one that plugins find has ended, in milliseconds. */
const takeOverAfter = 10_000;

/**
 * Answers plugins inside agents on the loopback interface, until it is closed. `path`: the file by which plugins find it.
 * If several run, plugins find the first one; when it ends, another one takes its place.
 */
export async function serveAgents(services: AgentServices, path: string): Promise<AgentService> {
  const token = randomBytes(24).toString('base64url');
  const server = createAdaptorServer({
    fetch: agentApp(services, token).fetch,
    overrideGlobalObjects: false,
  }) as Server;
  const port = await listen(server);
  const running = { pid: process.pid, url: `http://${host}:${port}`, token };
  await announceUnlessFound(path, running);
  const timer = setInterval(() => void announceUnlessFound(path, running).catch(() => undefined), takeOverAfter);
  timer.unref();
  return {
    async close() {
      clearInterval(timer);
      await withdrawRunning(path, running);
      await closed(server);
    },
  };
}

async function announceUnlessFound(path: string, running: RunningStrata): Promise<void> {
  if ((await findRunning(path)) === null) await announceRunning(path, running);
}

function agentApp(services: AgentServices, token: string): Hono {
  const app = new Hono();
  // Plugins use this to check whether a Strata is running here.
  app.get('/', (context) => context.body(null, 204));
  app.post('/:agent', async (context) => {
    if (!isEqualSecret(context.req.header('authorization') ?? '', `Bearer ${token}`)) return context.text('', 403);
    const parsed = v.safeParse(agentRequest, await context.req.json());
    if (!parsed.success) return context.text(v.summarize(parsed.issues), 400);
    const { signal } = context.req.raw;
    return context.json(await answerAgent(context.req.param('agent'), parsed.output, services, signal));
  });
  return app;
}

function isEqualSecret(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}

function listen(server: Server): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, host, () => resolve((server.address() as AddressInfo).port));
  });
}

function closed(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
