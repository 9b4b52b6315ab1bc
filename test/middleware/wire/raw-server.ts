import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

export interface RawRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

export interface RawServer {
  readonly url: URL;
  readonly received: readonly RawRequest[];
  /** Resolves when a client has disconnected before its answer ended. */
  readonly abandoned: Promise<void>;
}

/** A server on the loopback interface that stores bodies as bytes. */
export async function rawServer(answer: (response: ServerResponse, request: RawRequest) => void): Promise<RawServer> {
  const received: RawRequest[] = [];
  const abandoned = Promise.withResolvers<void>();
  const server = createServer((incoming, response) => {
    response.on('error', () => undefined);
    response.on('close', () => (response.writableFinished ? undefined : abandoned.resolve()));
    const chunks: Buffer[] = [];
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    incoming.on('end', () => {
      const { method = '', url: path = '', headers } = incoming;
      const request = { method, path, headers, body: Buffer.concat(chunks) };
      received.push(request);
      answer(response, request);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/chat/completions?beta=1`);
  return { url, received, abandoned: abandoned.promise };
}
