import type { IncomingMessage } from 'node:http';
import { PassThrough } from 'node:stream';
import { expect, it } from 'vitest';
import { receivedBody } from '../../extension/gateway/received-body';
import { BodyBytes } from '../../extension/middleware/wire/body-bytes';
import { collectGarbage } from '../builders/collected-garbage';

const length = 2 * 1024 * 1024;

it('a body for which there is no room is not in memory while its rest arrives', async () => {
  const incoming = new PassThrough();
  const headers = { 'content-length': String(length) };
  let chunks = 0;
  const take = () => {
    chunks += 1;
    return chunks === 1;
  };
  // The received body is a part of this memory.
  let memory: BodyBytes | null = new BodyBytes([new Uint8Array(length)]);
  const received = new WeakRef(memory);
  const known = [memory];
  const body = receivedBody(Object.assign(incoming, { headers }) as unknown as IncomingMessage, { take }, () =>
    known.splice(0),
  );
  memory = null;
  const refused = expect(body).rejects.toThrow('no-room');
  for (const _ of [1, 2]) {
    incoming.write(new Uint8Array(1024));
    await new Promise(setImmediate);
  }
  expect(chunks).toBe(2);
  await collectGarbage();
  expect(received.deref()).toBeUndefined();
  incoming.end();
  await refused;
});
