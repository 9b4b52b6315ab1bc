import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { onTestFinished } from 'vitest';

/** A request that a provider received, exactly as it was sent. */
export interface Received {
  readonly method: string;
  readonly path: string;
  /** Names as they were sent, in order, with their values. */
  readonly headers: readonly (readonly [string, string])[];
  readonly body: Buffer;
}

export type Behaviour = (response: ServerResponse, received: Received) => void;

export interface Upstream {
  readonly url: string;
  readonly received: readonly Received[];
  behaviour: Behaviour;
  /** Number of answers that ended early because the client disconnected. */
  readonly abandoned: { readonly count: number };
  stop(): Promise<void>;
}

/** A provider with a scripted behaviour. It is closed after the test. */
export async function startUpstream(behaviour: Behaviour): Promise<Upstream> {
  const received: Received[] = [];
  const abandoned = { count: 0 };
  const server = createServer(async (request, response) => {
    response.on('close', () => {
      if (!response.writableFinished) abandoned.count += 1;
    });
    const one = await whole(request).catch(() => null);
    if (one === null) return;
    received.push(one);
    upstream.behaviour(response, one);
  });
  const stop = stopperOf(server);
  const upstream: Upstream = { url: await listening(server), received, behaviour, abandoned, stop };
  onTestFinished(stop);
  return upstream;
}

async function whole(request: IncomingMessage): Promise<Received> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  const { method = '', url: path = '', rawHeaders } = request;
  const headers = rawHeaders.flatMap((name, at) =>
    at % 2 === 0 ? [[name.toLowerCase(), rawHeaders[at + 1] ?? ''] as const] : [],
  );
  return { method, path, headers, body: Buffer.concat(chunks) };
}

function stopperOf(server: Server): () => Promise<void> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  return () =>
    new Promise((resolve) => {
      server.close(() => resolve());
      for (const socket of sockets) socket.destroy();
    });
}

export function listening(server: Server): Promise<string> {
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve(`http://127.0.0.1:${(server.address() as AddressInfo).port}`));
  });
}

export function sends(status: number, body: string, headers: Readonly<Record<string, string>> = {}): Behaviour {
  return (response) => response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body);
}

/** Each piece is sent before the next one is written. */
export function streams(...pieces: readonly string[]): Behaviour {
  return async (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream', 'request-id': 'req_1' });
    for (const piece of pieces) await new Promise<void>((resolve) => response.write(piece, () => resolve()));
    response.end();
  };
}
