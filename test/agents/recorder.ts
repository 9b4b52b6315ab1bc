import { createServer, type IncomingMessage, request as send } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request for a reply, exactly as it was sent. */
export interface Recorded {
  readonly path: string;
  readonly body: Buffer;
}

export interface Recorder {
  /** Without a path. */
  readonly address: string;
  /** Oldest first. */
  readonly recorded: readonly Recorded[];
  close(): void;
}

/** Forwards everything to an address, and records what was posted. */
export async function startRecorder(target: string): Promise<Recorder> {
  const recorded: Recorded[] = [];
  const server = createServer(async (request, response) => {
    const { method = 'GET', url: path = '/', headers } = request;
    const body = await bodyOf(request);
    if (method === 'POST') recorded.push({ path, body });
    const { host: _host, ...others } = headers;
    const onward = send(`${target}${path}`, { method, headers: others }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    onward.on('error', () => response.destroy());
    onward.end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  return { address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, recorded, close };
}

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks);
}
