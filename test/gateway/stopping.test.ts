import { expect, it, onTestFinished, vi } from 'vitest';
import { startGateway } from '../../extension/gateway/gateway';
import { programWith } from '../library/many-agents';
import { chatApi, upstreamsAt } from './apis';
import { ask, begun } from './asking';
import { type Behaviour, startUpstream } from './upstream';

/** Long enough that the gateway looks for a refusal in the beginning of its answer. */
const long = JSON.stringify({ model: 'gpt-4o', messages: [{ role: 'user', content: 'many words '.repeat(2_000) }] });

/**
 * A gateway in front of a provider. `over`: the number of its requests whose answer has ended. `stored`: each answer
 * waits for it.
 */
async function started(behaviour: Behaviour, stored = Promise.resolve()) {
  const upstream = await startUpstream(behaviour);
  const { conversations } = await programWith({ window: 128_000 });
  const over = { count: 0 };
  const notices: string[] = [];
  const gateway = await startGateway({
    keep: async (request) => {
      const kept = await conversations.keep(request);
      const done: typeof kept.done = (own) => {
        over.count += 1;
        kept.done(own);
      };
      const answer: typeof kept.answer = kept.answer && {
        add: (piece) => kept.answer?.add(piece),
        end: async (outcome) => {
          await stored;
          await kept.answer?.end(outcome);
        },
      };
      return { ...kept, answer, done };
    },
    windowOf: (model) => conversations.windowOf(model),
    notify: ({ message }) => notices.push(message),
    upstreams: upstreamsAt(upstream.url),
  });
  onTestFinished(() => gateway.close());
  return { gateway, url: `${gateway.url}/${gateway.token}/openai/v1/chat/completions`, upstream, over, notices };
}

/** Sends the first bytes of a refusal. */
const halfRefusal: Behaviour = (response) => {
  response.writeHead(400, { 'content-type': 'application/json', 'content-length': '1000' });
  response.write('{"error":{');
};

it('a gateway closes after a refusal that was cut off', async () => {
  const { gateway, url, over } = await started((response, received) => {
    halfRefusal(response, received);
    setImmediate(() => response.destroy());
  });
  const { status } = await ask(url, { body: long });
  expect(status).toBe(502);
  await expect.poll(() => over.count).toBe(1);
  await gateway.close();
});

it.each<[string, Behaviour]>([
  ['a refusal', halfRefusal],
  [
    'the first events of a stream',
    (response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write('data: {"type":"ping"}\n\n');
    },
  ],
])('a gateway closes after its client left during %s', async (_name, behaviour) => {
  const { gateway, url, upstream, over } = await started(behaviour);
  const { sent, response } = begun(url, { body: long });
  await expect.poll(() => upstream.received.length).toBe(1);
  // Lets the written part of the answer arrive at its reader.
  await new Promise((resolve) => setTimeout(resolve, 50));
  sent.destroy();
  await expect(response).rejects.toThrow();
  await expect.poll(() => over.count).toBe(1);
  await gateway.close();
});

it('a gateway that stops waits only a limited time for a store, and says how many answers it left', async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const { gateway, url, notices } = await started(chatApi.answers('Fine.'), promise);
  expect(await ask(url, { body: chatApi.body('Hi.') })).toMatchObject({ status: 200, isCut: false });
  onTestFinished(() => {
    vi.useRealTimers();
    resolve();
  });
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  let isClosed = false;
  const closed = gateway.close().then(() => {
    isClosed = true;
  });
  while (!isClosed) {
    await vi.advanceTimersByTimeAsync(1_000);
    await new Promise(setImmediate);
  }
  await closed;
  expect(notices).toEqual(['The gateway stopped before all answers were recorded. Not recorded: 1.']);
});
