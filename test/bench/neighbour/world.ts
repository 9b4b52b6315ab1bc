/**
 * Program of a thread with everything outside the gateway: the provider, an agent with a large conversation, and its
 * neighbour, whose answer streams meanwhile. It has its own thread, so that it does not wait for the gateway's work.
 */
import { createServer, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { parentPort } from 'node:worker_threads';
import { codingSession } from './conversation.ts';

export interface Measured {
  /** The longest time between two events at the neighbour, from the large request to its answer, in milliseconds. */
  readonly longestGapMs: number;
  /** The same time at the provider that writes the stream: it is the delay of the machine itself. */
  readonly longestWriteGapMs: number;
  readonly answerMs: number;
  /** Bytes that the gateway sent to the provider for the large conversation. */
  readonly sentBytes: number;
}

export interface Order {
  readonly path: string;
  readonly bytes: number;
}

const everyMs = 5;
const neighbourMark = 'the neighbour asks';
const writes: number[] = [];
const arrivals: number[] = [];
let sentBytes = 0;
let streaming: { readonly response: ServerResponse; readonly timer: NodeJS.Timeout } | null = null;

const upstream = createServer((incoming, response) => {
  const chunks: Buffer[] = [];
  incoming.on('data', (chunk) => chunks.push(chunk));
  incoming.on('end', () => {
    const body = Buffer.concat(chunks);
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    if (body.length < 10_000 && body.includes(neighbourMark)) stream(response);
    else {
      sentBytes = body.length;
      response.end(`${delta('Fine.')}${end}`);
    }
  });
});

function delta(content: string): string {
  return `data: ${JSON.stringify({ choices: [{ index: 0, delta: { role: 'assistant', content } }] })}\n\n`;
}

const end = `data: ${JSON.stringify({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] })}\n\ndata: [DONE]\n\n`;

function stream(response: ServerResponse): void {
  const timer = setInterval(() => {
    writes.push(performance.now());
    response.write(delta('on '));
  }, everyMs);
  streaming = { response, timer };
}

/** Resolves when the answer has ended. */
function ask(address: string, body: string, onData: () => void = () => undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const sent = request(address, { method: 'POST', headers: { 'content-type': 'application/json' }, agent: false });
    sent.on('error', reject);
    sent.on('response', (response) => {
      if (response.statusCode !== 200) reject(new Error(`The answer was ${response.statusCode}.`));
      response.on('data', onData).on('end', resolve).on('error', reject);
    });
    sent.end(body);
  });
}

function bodyOf(messages: readonly object[]): string {
  return JSON.stringify({ model: 'gpt-5', stream: true, messages });
}

async function measure({ path, bytes }: Order): Promise<Measured> {
  const large = bodyOf(codingSession(bytes));
  const question = `${neighbourMark} ${performance.now()}`;
  const neighbour = ask(path, bodyOf([{ role: 'user', content: question }]), () => arrivals.push(performance.now()));
  while (arrivals.length < 50) await delay(everyMs);
  writes.length = 0;
  arrivals.length = 0;
  const began = performance.now();
  await ask(path, large);
  const answerMs = performance.now() - began;
  // Work after the answer is measured too.
  await delay(500);
  const measured = { longestGapMs: longest(arrivals), longestWriteGapMs: longest(writes), answerMs, sentBytes };
  clearInterval(streaming?.timer);
  streaming?.response.end(end);
  await neighbour;
  arrivals.length = 0;
  return measured;
}

function longest(times: readonly number[]): number {
  return Math.max(...times.slice(1).map((time, index) => time - (times[index] ?? time)));
}

upstream.listen(0, '127.0.0.1', () => {
  parentPort?.postMessage(`http://127.0.0.1:${(upstream.address() as AddressInfo).port}`);
});

parentPort?.on('message', async (order: Order) => parentPort?.postMessage(await measure(order)));
