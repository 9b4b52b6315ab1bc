import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { Worker } from 'node:worker_threads';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { conversationFolder } from '../../extension/conversations/shelves/conversation-folder';
import { CompactingThreads } from '../../extension/conversations/threads/compacting-threads';
import { startGateway } from '../../extension/gateway/gateway';
import { createConversations } from '../../extension/library/conversations';
import { builtThread } from '../builders/built-thread';
import { chatApi, upstreamsAt } from '../gateway/apis';
import type { Measured, Order } from './neighbour/world';

/**
 * Measures how long the stream of one conversation is delayed while the same gateway reads and compacts another, large
 * one. Everything except the gateway runs in a thread of its own.
 */

const megabyte = 1_000_000;
let world: Worker;
let upstreamUrl: string;
let program: string;

beforeAll(async () => {
  program = await builtThread('extension/conversations/threads/compacting-thread.ts');
  world = new Worker(new URL('neighbour/world.ts', import.meta.url));
  [upstreamUrl] = await once(world, 'message');
});

afterAll(() => world.terminate());

async function measured(order: Order): Promise<Measured> {
  world.postMessage(order);
  const [reply] = await once(world, 'message');
  return reply;
}

type Where = 'in threads' | 'on the main thread';

async function neighbourOf(bytes: number, enabled: boolean, where: Where): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'strata-bench-'));
  const notices: string[] = [];
  const window = 200_000;
  const threads = new CompactingThreads({ program, onNotice: (text) => notices.push(text) });
  const conversations = await createConversations({
    window,
    automation: { enabled },
    ...(where === 'in threads' ? { threads } : {}),
    shelf: conversationFolder({ folder, cwd: null, onWarning: (text) => notices.push(text) }),
    onNotice: (text) => notices.push(text),
  });
  const gateway = await startGateway({
    keep: (one) => conversations.keep(one),
    windowOf: () => window,
    notify: ({ message }) => notices.push(message),
    upstreams: upstreamsAt(upstreamUrl),
  });
  const loop = monitorEventLoopDelay({ resolution: 1 });
  try {
    // The first request loads the tokenizer's tables, so it is not measured.
    await measured({ path: `${gateway.url}/${gateway.token}${chatApi.path}`, bytes: 10_000 });
    loop.enable();
    const work = longestWork();
    const path = `${gateway.url}/${gateway.token}${chatApi.path}`;
    const { longestGapMs, longestWriteGapMs, answerMs, sentBytes } = await measured({ path, bytes });
    loop.disable();
    const longestWorkMs = work.stop();
    const compactions = conversations.contexts.reduce((total, { compactions }) => total + compactions.length, 0);
    console.log(
      `${bytes / megabyte} MB ${where}, ${enabled ? `${compactions} blocks made` : 'compaction off'}: longest gap ${ms(longestGapMs)}` +
        ` (provider wrote with ${ms(longestWriteGapMs)}), longest hold of the event loop ${ms(loop.max / 1e6)},` +
        ` of which this thread worked ${ms(longestWorkMs)},` +
        ` request answered after ${ms(answerMs)}, sent ${sentBytes} bytes`,
    );
    for (const notice of notices) console.log(notice);
  } finally {
    await gateway.close();
    threads.dispose();
    // The end of an answer may still be being written.
    await rm(folder, { recursive: true, maxRetries: 5 });
  }
}

/**
 * The longest processor time of this thread between two turns of a timer, in milliseconds. It is the time for which the
 * event loop is blocked, without the time that other programs on the machine take.
 */
function longestWork(): { stop(): number } {
  let longest = 0;
  let before = process.threadCpuUsage();
  const timer = setInterval(() => {
    const { user, system } = process.threadCpuUsage(before);
    longest = Math.max(longest, (user + system) / 1000);
    before = process.threadCpuUsage();
  }, 1);
  return {
    stop: () => {
      clearInterval(timer);
      return longest;
    },
  };
}

function ms(value: number): string {
  return `${value.toFixed(0)} ms`;
}

describe.each(['on the main thread', 'in threads'] as const)('a neighbour’s stream, with work %s', (where) => {
  it.each([1, 5])('while %i MB only pass', (size) => neighbourOf(size * megabyte, false, where));
  it.each([1, 5])('while %i MB are compacted', (size) => neighbourOf(size * megabyte, true, where));
});
