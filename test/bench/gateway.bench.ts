import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, it, onTestFinished } from 'vitest';
import { buildTimeoutMs, built } from '../builders/built';
import { ask } from '../gateway/asking';
import { listening } from '../gateway/upstream';
import { Agent, headers, middle, streamed } from './gateway/agent';
import { type Measurable, startBuiltGateway, startProxy } from './gateway/processes';
import { report } from './measure';

/**
 * Measures what the built gateway adds to the cost of a request, compared with a proxy that only forwards bytes. Each
 * is a process of its own.
 */

/** Answers that wait until all of their requests have arrived. */
let held: ServerResponse[] | null = null;

const upstream = createServer((incoming, response) => {
  incoming.resume().on('end', () => {
    if (held) held.push(response);
    else answers(response);
  });
});

function answers(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' }).end(streamed);
}

let upstreamUrl: string;
let proxy: Measurable;
let command: string;

beforeAll(async () => {
  upstreamUrl = await listening(upstream);
  proxy = await startProxy(upstreamUrl);
  command = join(await built('cli'), 'cli/strata.js');
}, buildTimeoutMs);

afterAll(async () => {
  await proxy.stop();
  upstream.close();
  upstream.closeAllConnections();
});

/** The gateway is closed after the test. */
async function gatewayWith(window: number, autoCompact: boolean): Promise<Measurable> {
  const folder = await mkdtemp(join(tmpdir(), 'strata-bench-'));
  const gateway = await startBuiltGateway({ command, upstream: upstreamUrl, folder, window, autoCompact });
  onTestFinished(async () => {
    await gateway.stop();
    await rm(folder, { recursive: true });
  });
  return gateway;
}

const runs = 45;

/** Milliseconds that a tool takes. */
const toolMs = 30;

/** Milliseconds after which an answer has been stored. */
const afterMs = 60;

interface Cost {
  readonly ms: number;
  readonly processorMs: number;
}

/**
 * Medians for one more message: the time until the answer, and the processor time including the work after the answer.
 */
async function costOf(program: Measurable, agent: Agent): Promise<Cost> {
  const times: number[] = [];
  const processor: number[] = [];
  for (let run = 0; run < runs; run += 1) {
    const body = agent.next();
    await delay(toolMs);
    const used = await program.processorMs();
    times.push(await agent.asks(body));
    await delay(afterMs);
    processor.push((await program.processorMs()) - used);
  }
  return { ms: middle(times), processorMs: middle(processor) };
}

/**
 * The costs of the gateway and of the proxy. The first requests write the whole history, compact if that is due, and
 * warm up.
 */
async function compared(gateway: Measurable, count: number): Promise<{ readonly ours: Cost; readonly plain: Cost }> {
  const [kept, passed] = [new Agent(gateway.address, count), new Agent(proxy.address, count)];
  for (let at = 0; at < warmUps; at += 1) {
    await kept.asks();
    await passed.asks();
    await delay(afterMs);
  }
  return { plain: await costOf(proxy, passed), ours: await costOf(gateway, kept) };
}

const warmUps = 30;

const proxied = { baseline: 'plain proxy', measured: 'gateway', inputRatio: 1 };

function reportRequest(count: number, how: string, { plain, ours }: Awaited<ReturnType<typeof compared>>): void {
  const what = `a request of ${count} messages, ${how}`;
  report({ ...proxied, what, baselineMs: plain.ms, measuredMs: ours.ms });
  const added = ours.processorMs - plain.processorMs;
  console.log(`processor time added to it: ${added.toFixed(2)} ms (plain proxy ${plain.processorMs.toFixed(2)} ms)`);
}

describe('a request through the gateway', () => {
  it('that only passes', async () => {
    const gateway = await gatewayWith(10_000_000, false);
    const added = new Map<number, number>();
    for (const count of [100, 1_000, 10_000]) {
      const costs = await compared(gateway, count);
      reportRequest(count, 'auto-compact off', costs);
      added.set(count, costs.ours.processorMs - costs.plain.processorMs);
    }
    const [baselineMs = 0, measuredMs = 0] = [added.get(100), added.get(10_000)];
    const what = 'processor time added for one more message';
    report({ what, baseline: 'of 100', baselineMs, measured: 'of 10,000', measuredMs, inputRatio: 1 });
  });

  // A prompt has about 130 tokens; half of them have to be removed.
  it.each([1_000, 10_000])('of %i messages with auto-compact', async (count) => {
    const gateway = await gatewayWith(count * 50, true);
    const costs = await compared(gateway, count);
    const made = gateway.messages.join('').match(/^Compacted/gm)?.length ?? 0;
    reportRequest(count, `auto-compact on (${made} compactions)`, costs);
  });
});

/** Bytes of resident memory before these requests, while all of them wait for their answers, and at the peak. */
async function whileInFlight(gateway: Measurable, bodies: readonly Buffer[]) {
  await delay(1_000);
  const before = await gateway.memory();
  await gateway.forgetPeak();
  held = [];
  const asked = bodies.map((body) => ask(gateway.address, { headers, body }));
  while (held.length < bodies.length) await delay(20);
  const [during, peak] = [await gateway.memory(), await gateway.peak()];
  for (const response of held) answers(response);
  held = null;
  await Promise.all(asked);
  return { before, during, peak };
}

describe('bodies in flight', () => {
  it('are held in memory', async () => {
    const gateway = await gatewayWith(10_000_000, false);
    const messages = 10_000;
    const agents = Array.from({ length: 40 }, (_, at) => new Agent(gateway.address, messages, `Agent ${at}: `));
    await new Agent(gateway.address, messages).asks();
    for (const which of ['which begin conversations that stay open', 'of conversations that were asked before']) {
      const bodies = agents.map((agent) => agent.next());
      const bytes = bodies.reduce((total, body) => total + body.length, 0);
      const { before, during, peak } = await whileInFlight(gateway, bodies);
      for (const agent of agents) agent.goesOn();
      const times = (used: number) => ((used - before) / bytes).toFixed(2);
      console.log(
        `memory for ${bodies.length} bodies in flight of ${(bytes / 1e6).toFixed(0)} MB in all, ${which}: ${times(during)} times their size, ${times(peak)} at its peak`,
      );
    }
  });
});
