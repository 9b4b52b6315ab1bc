import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { conversationFolder } from '../../extension/conversations/shelves/conversation-folder';
import { startGateway } from '../../extension/gateway/gateway';
import { createConversations } from '../../extension/library/conversations';
import { chatApi, upstreamsAt } from '../gateway/apis';
import { ask } from '../gateway/asking';
import { listening } from '../gateway/upstream';
import { report } from './measure';

/** What a request through the gateway costs: ratios to a proxy that only passes bytes on. */

const answer = 'Fine.';
const events = [
  { choices: [{ index: 0, delta: { role: 'assistant', content: answer } }] },
  { choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] },
];
const streamed = `${events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('')}data: [DONE]\n\n`;

const upstream = createServer((incoming, response) => {
  incoming.resume().on('end', () => response.writeHead(200, { 'content-type': 'text/event-stream' }).end(streamed));
});

let upstreamUrl: string;

/** Passes everything on. */
const proxy = createServer((incoming, response) => {
  const { method, headers, url = '' } = incoming;
  const sent = request(`${upstreamUrl}${url}`, { ...(method ? { method } : {}), headers }, (received) => {
    response.writeHead(received.statusCode ?? 502, received.headers);
    received.pipe(response);
  });
  incoming.pipe(sent);
});

/** An agent whose conversation has so many messages and goes on; every second one is the model's. */
class Agent {
  readonly #said: string[];

  constructor(
    private readonly url: string,
    count: number,
  ) {
    this.#said = Array.from({ length: count - 1 }, (_, at) =>
      at % 2 === 1 ? answer : `Entry ${at} says something about module ${at}. `.repeat(10),
    );
  }

  /** Writes the next request. The result sends it, and takes the answer in. */
  next(): () => Promise<void> {
    const body = Buffer.from(chatApi.body(...this.#said));
    return async () => {
      const { status } = await ask(this.url, { headers: { 'content-type': 'application/json' }, body });
      if (status !== 200) throw new Error(`The answer was ${status}.`);
      this.#said.push(answer, 'Go on.');
    };
  }

  asks(): Promise<void> {
    return this.next()();
  }
}

async function gatewayIn(folder: string, window: number, enabled: boolean) {
  const notices: string[] = [];
  const conversations = await createConversations({
    window,
    automation: { enabled },
    shelf: conversationFolder({ folder, cwd: null, onWarning: (text) => notices.push(text) }),
    onNotice: (text) => notices.push(text),
  });
  const gateway = await startGateway({
    keep: (one) => conversations.keep(one),
    windowOf: () => window,
    notify: ({ message }) => notices.push(message),
    upstreams: upstreamsAt(upstreamUrl),
  });
  const address = `${gateway.url}/${gateway.token}${chatApi.path}`;
  const compactions = () => conversations.newest?.compactions.length ?? 0;
  return { address, notices, compactions, close: () => gateway.close() };
}

const runs = 9;

/** Milliseconds in which a tool runs, and the answer before it is written. */
const toolMs = 30;

/** Median milliseconds of requests with a pause before each, and of the processor for each: in all threads, with what comes after the answer. */
async function measured(agent: Agent, pause: number): Promise<{ readonly ms: number; readonly processorMs: number }> {
  const times: number[] = [];
  const processor: number[] = [];
  for (let run = 0; run < runs; run += 1) {
    const asks = agent.next();
    await delay(pause);
    const [began, used] = [performance.now(), process.cpuUsage()];
    await asks();
    times.push(performance.now() - began);
    await delay(afterMs);
    const { user, system } = process.cpuUsage(used);
    processor.push((user + system) / 1000);
  }
  return { ms: middle(times), processorMs: middle(processor) };
}

/** Milliseconds in which an answer has been written. */
const afterMs = 60;

function middle(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

async function compared(count: number, window: number, enabled: boolean): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'strata-bench-'));
  const gateway = await gatewayIn(folder, window, enabled);
  try {
    const passed = new Agent(`${await proxyUrl}${chatApi.upstreamPath}`, count);
    const kept = new Agent(gateway.address, count);
    // The first request writes the whole history, and compacts where that is due.
    await kept.asks();
    await passed.asks();
    const compared = { baseline: 'plain proxy', measured: 'gateway', inputRatio: 1 };
    const what = `${count} messages, auto-compact ${enabled ? `on (${gateway.compactions()} made)` : 'off'}`;
    const [plain, ours] = [await measured(passed, toolMs), await measured(kept, toolMs)];
    report({ ...compared, what: `a request of ${what}`, baselineMs: plain.ms, measuredMs: ours.ms });
    const added = ours.processorMs - plain.processorMs;
    console.log(
      `processor time added to a request of ${what}: ${added.toFixed(2)} ms (plain proxy ${plain.processorMs.toFixed(2)} ms)`,
    );
    for (const notice of gateway.notices) console.log(notice);
  } finally {
    await gateway.close();
    await rm(folder, { recursive: true });
  }
}

let proxyUrl: Promise<string>;

beforeAll(async () => {
  upstreamUrl = await listening(upstream);
  proxyUrl = listening(proxy);
});

afterAll(() => {
  for (const server of [upstream, proxy]) {
    server.close();
    server.closeAllConnections();
  }
});

describe('a request through the gateway', () => {
  it.each([10, 100, 1_000, 10_000])('of %i messages that only passes', (count) => compared(count, 10_000_000, false));

  // A message of the person has about 130 tokens; half of them must go.
  it.each([10, 1_000, 10_000])('of %i messages with auto-compact', (count) =>
    compared(count, Math.max(2_000, count * 50), true),
  );
});
