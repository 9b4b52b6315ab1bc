import type { Socket } from 'node:net';
import { createServer } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { upstreamFetch } from '../../extension/models/http/upstream-fetch';

/** Tests with providers that treat a connection in ways that Node's own server never does. */

/** Handles a request. `of` is its number on its connection, and `connection` the number of that connection. */
type Wire = (socket: Socket, request: { readonly connection: number; readonly of: number }) => void;

interface Provider {
  readonly url: string;
  /** The received bodies, each with the number of its connection. */
  readonly bodies: readonly (readonly [connection: number, body: string])[];
}

/** Each request has to arrive in one piece, as short ones do. */
async function provider(wire: Wire): Promise<Provider> {
  const bodies: [number, string][] = [];
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    const connection = sockets.add(socket).size;
    let of = 0;
    socket.on('error', () => undefined);
    socket.on('data', (bytes) => {
      of += 1;
      bodies.push([connection, bytes.toString().split('\r\n\r\n')[1] ?? '']);
      wire(socket, { connection, of });
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The provider has no port');
  return { url: `http://127.0.0.1:${address.port}/`, bodies };
}

const fine = 'HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\nFine.';

async function asked(url: string, body: BodyInit): Promise<string> {
  const answer = await upstreamFetch(url, { method: 'POST', body, duplex: 'half' } as RequestInit);
  const text = await answer.text();
  // The client returns the connection to its pool after the end of the answer.
  await delay(5);
  return `${answer.status} ${text}`;
}

describe('a provider', () => {
  it.each([
    ['that was not asked to', 'HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n'],
    ['to nothing', 'HTTP/1.1 101 Switching Protocols\r\n\r\n'],
    ['and has a status of its own', 'HTTP/1.1 999 Nothing\r\ncontent-length: 0\r\n\r\n'],
  ])('a provider that switches protocols %s did not answer', async (_name, answer) => {
    const { url } = await provider((socket) => socket.write(answer));
    await expect(asked(url, 'Hi.')).rejects.toThrow(/101|999/);
  });

  it.each([
    ['says nothing', ''],
    ['says half of a status', 'HTTP/1.1 20'],
  ])('a provider that %s and hangs up did not answer', async (_name, answer) => {
    const { url, bodies } = await provider((socket) => socket.end(answer));
    await expect(asked(url, 'Hi.')).rejects.toThrow();
    expect(bodies).toHaveLength(1);
  });

  it.each([
    ['bytes', () => new TextEncoder().encode('two')],
    ['a stream', () => new Blob(['two']).stream()],
  ])('a request is not sent twice when a reused connection dies, with a body of %s', async (_name, body) => {
    const { url, bodies } = await provider((socket, { connection, of }) => {
      if (connection === 1 && of === 2) socket.resetAndDestroy();
      else socket.write(fine);
    });
    expect(await asked(url, 'one')).toBe('200 Fine.');
    await expect(asked(url, body())).rejects.toThrow(/ECONNRESET|EPIPE|hang up/);
    expect(new Set(bodies.map(([connection]) => connection))).toEqual(new Set([1]));
    expect(await asked(url, 'three')).toBe('200 Fine.');
  });

  it('a provider that had begun to answer is not asked again', async () => {
    const { url, bodies } = await provider((socket, { of }) => {
      if (of === 1) socket.write(fine);
      else socket.end('HTTP/1.1 20');
    });
    await asked(url, 'one');
    await expect(asked(url, 'two')).rejects.toThrow();
    expect(bodies).toHaveLength(2);
  });
});
