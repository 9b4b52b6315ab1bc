/** A proxy that only forwards bytes: `node proxy.mjs UPSTREAM`. It prints its address as JSON. */
import { createServer, request } from 'node:http';

const [, , upstream] = process.argv;

const server = createServer((incoming, response) => {
  const { method, headers, url = '' } = incoming;
  const sent = request(`${upstream}${url}`, { method, headers }, (received) => {
    response.writeHead(received.statusCode ?? 502, received.headers);
    received.pipe(response);
  });
  incoming.pipe(sent);
});

server.listen(0, '127.0.0.1', () => console.log(JSON.stringify({ url: `http://127.0.0.1:${server.address().port}` })));
