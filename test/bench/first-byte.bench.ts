import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { buildTimeoutMs, built } from '../builders/built';
import { listening } from '../gateway/upstream';
import { Agent, middle, streamed } from './gateway/agent';
import { type Measurable, startBuiltGateway, startProxy } from './gateway/processes';

/**
 * Measures when the first byte of an answer arrives through the built gateway, and through a proxy that only forwards
 * bytes.
 */

const upstream = createServer((incoming, response) => {
  incoming.resume().on('end', () => response.writeHead(200, { 'content-type': 'text/event-stream' }).end(streamed));
});

let proxy: Measurable;
let gateway: Measurable;
let folder: string;

beforeAll(async () => {
  const url = await listening(upstream);
  proxy = await startProxy(url);
  folder = await mkdtemp(join(tmpdir(), 'strata-bench-'));
  const command = join(await built('cli'), 'cli/strata.js');
  gateway = await startBuiltGateway({ command, upstream: url, folder, window: 10_000_000, autoCompact: true });
}, buildTimeoutMs);

afterAll(async () => {
  await gateway.stop();
  await proxy.stop();
  upstream.close();
  upstream.closeAllConnections();
  await rm(folder, { recursive: true });
});

/** Milliseconds between two requests of an agent. */
const toolMs = 30;

const sizes = [
  { what: '10 messages', count: 10, repeats: 10, runs: 41 },
  { what: '1,000 messages', count: 1_000, repeats: 10, runs: 41 },
  { what: '10,000 messages', count: 10_000, repeats: 10, runs: 21 },
  { what: '20 MB of text in 200 messages', count: 200, repeats: 4_650, runs: 9 },
];

const warmUps = 10;

function row(what: string, plain: number, ours: number): void {
  console.log(`| ${what} | ${plain.toFixed(1)} ms | ${ours.toFixed(1)} ms | ${(ours / plain).toFixed(1)} |`);
}

describe('the first byte', () => {
  it.each(sizes)('of one more message after $what', async ({ what, count, repeats, runs }) => {
    const agents = [new Agent(proxy.address, count, 'P ', repeats), new Agent(gateway.address, count, 'G ', repeats)];
    const times: number[][] = [[], []];
    for (let run = -warmUps; run < runs; run += 1) {
      // The requests alternate, so that other work of the machine slows both.
      for (const [at, agent] of agents.entries()) {
        await delay(toolMs);
        const ms = await agent.firstByte();
        if (run === -warmUps || run >= 0) times[at]?.push(ms);
      }
    }
    const [[plainFirst = 0, ...plain] = [], [oursFirst = 0, ...ours] = []] = times;
    row(what, middle(plain), middle(ours));
    row(`${what}, the first time`, plainFirst, oursFirst);
  });

  const streams = 200;

  it(`of ${streams} streams at once`, async () => {
    const medians: number[] = [];
    for (const { address } of [proxy, gateway]) {
      const agents = Array.from({ length: streams }, (_, at) => new Agent(address, 20, `Agent ${at}: `));
      const rounds: number[] = [];
      for (let round = 0; round < 5; round += 1) {
        const bodies = agents.map((agent) => agent.next());
        const times = await Promise.all(agents.map((agent, at) => agent.firstByte(bodies[at])));
        // The first round begins the conversations and warms up, so it is not counted.
        if (round > 0) rounds.push(middle(times));
        await delay(500);
      }
      medians.push(middle(rounds));
    }
    const [plain = 0, ours = 0] = medians;
    row(`${streams} streams at once, 20 messages each`, plain, ours);
  });
});
