import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { temporaryFolders } from '../sessions/temporary';
import { chatApi } from './apis';
import { ask } from './asking';
import { startRunning } from './running';
import { sends, startUpstream } from './upstream';

/** Tests of slow peers: the gateway limits the time of an agent, but not that of a provider. */

const temporaryFolder = temporaryFolders();

const impatient = { headersTimeout: 60, requestTimeout: 120, keepAliveTimeout: 60, connectionsCheckingInterval: 20 };

async function begun() {
  const upstream = await startUpstream(sends(200, '{}'));
  const place = { upstream: upstream.url, folder: temporaryFolder() };
  return { upstream, ...(await startRunning(place, {}, { timeouts: impatient })) };
}

/** Sends these pieces. Resolves to the text that was received until the connection was closed. */
function wire(url: string, ...pieces: readonly string[]): Promise<string> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  onTestFinished(() => void socket.destroy());
  let text = '';
  socket.on('data', (bytes) => {
    text += bytes;
  });
  for (const piece of pieces) socket.write(piece);
  return new Promise((resolve, reject) => {
    socket.on('close', () => resolve(text));
    socket.on('error', reject);
  });
}

function head(address: string, ...fields: readonly string[]): string {
  const { host, pathname } = new URL(`${address}${chatApi.path}`);
  return [`POST ${pathname} HTTP/1.1`, `host: ${host}`, ...fields, ''].join('\r\n');
}

it('a head that does not end is answered, and its connection closed', async () => {
  const { address, log } = await begun();
  expect(await wire(address, head(address))).toMatch(/^HTTP\/1\.1 408 /);
  expect(log).toEqual([]);
});

it.each([
  ['with a length', 'content-length: 99999', '{"model":'],
  ['in chunks', 'transfer-encoding: chunked', '9\r\n{"model":\r\n'],
])('a body %s that stops coming is answered and let go of, and goes no further', async (_name, field, piece) => {
  const { address, log, upstream, notices } = await begun();
  expect(await wire(address, `${head(address, field)}\r\n`, piece)).toMatch(/^HTTP\/1\.1 408 /);
  await expect.poll(() => log).toMatchObject([{ status: 499, sent: null }]);
  expect(upstream.received).toEqual([]);
  expect(notices).toEqual([]);
});

it('a connection on which no more is asked is closed', async () => {
  const { address } = await begun();
  const text = await wire(address, `${head(address, 'content-length: 2')}\r\n{}`);
  expect(text).toMatch(/^HTTP\/1\.1 200 /);
});

it('an answer takes longer than any of these, silent at first and in the middle', async () => {
  const { address, upstream } = await begun();
  upstream.behaviour = async (response) => {
    await delay(400);
    response.writeHead(200, { 'content-type': 'text/event-stream' }).write('data: {}\n\n');
    await delay(400);
    response.end('data: [DONE]\n\n');
  };
  const answer = await ask(`${address}${chatApi.path}`, {
    headers: { 'content-type': 'application/json' },
    body: chatApi.body('Hi.'),
  });
  expect(answer).toMatchObject({ status: 200, isCut: false, body: 'data: {}\n\ndata: [DONE]\n\n' });
});
