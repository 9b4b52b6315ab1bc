import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';

export interface Proxy {
  readonly url: string;
  /** Requested addresses, oldest first; `CONNECT host:port` for tunnels. */
  readonly asked: readonly string[];
  close(): void;
}

/** A proxy on the loopback interface that forwards every host to one server. */
export async function startProxy(server: string): Promise<Proxy> {
  const asked: string[] = [];
  const { port } = new URL(server);
  const proxy = createServer((request, response) => {
    asked.push(request.url ?? '');
    const { pathname } = new URL(request.url ?? '');
    void (async () => {
      const { method = 'GET', headers } = request;
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk);
      const type = headers['content-type'] ?? 'application/json';
      const answer = await fetch(`http://127.0.0.1:${port}${pathname}`, {
        method,
        headers: { 'content-type': type },
        body: Buffer.concat(chunks),
      });
      response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? '' });
      response.end(Buffer.from(await answer.arrayBuffer()));
    })();
  });
  proxy.on('connect', (request, socket) => {
    asked.push(`CONNECT ${request.url}`);
    const upstream = connect(Number(port), '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection Established\r\n\r\n');
      upstream.pipe(socket).pipe(upstream);
    });
    for (const end of [socket, upstream]) end.on('error', () => undefined);
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  const close = () => {
    proxy.closeAllConnections();
    proxy.close();
  };
  return { url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`, asked, close };
}
