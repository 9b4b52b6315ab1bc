import { appendFile, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { ConversationsOptions } from '../../extension/library/conversations-options';
import { withLock } from '../../extension/platform/files/locked-append';
import { temporaryFolders } from '../sessions/temporary';
import { chatApi } from './apis';
import { type Answer, ask } from './asking';
import { startRunning } from './running';
import { startUpstream } from './upstream';

/** Requests that are sent to their provider while they are written. */

const temporaryFolder = temporaryFolders();

/** A gateway with one answered request. `asks` sends the next one while the conversation's file is locked until `locked` is done. */
async function answeredOnce(options: Partial<ConversationsOptions> = {}) {
  const upstream = await startUpstream(chatApi.answers('Fine.'));
  const folder = temporaryFolder();
  const running = await startRunning({ upstream: upstream.url, folder }, options);
  const url = `${running.address}${chatApi.path}`;
  const asked = (...said: readonly string[]) => ask(url, { body: chatApi.body(...said) });
  await asked('Hi.');
  const conversations = join(folder, 'conversations');
  const [name = ''] = await readdir(conversations);
  const file = join(conversations, name);
  await expect.poll(() => readFile(file, 'utf8')).toContain('turn-ended');
  const order: string[] = [];
  upstream.behaviour = (response, one) => {
    if (one.body.toString().includes('Go on.')) order.push('sent');
    chatApi.answers('Yes.')(response, one);
  };
  const asks = async (locked: () => Promise<unknown>): Promise<Answer> => {
    const answering = await withLock(`${file}.lock`, async () => {
      const answer = asked('Hi.', 'Fine.', 'Go on.').finally(() => order.push('answered'));
      await locked();
      order.push('unlocked');
      return { answer };
    });
    return await answering.answer;
  };
  return { ...running, upstream, asked, asks, file, order };
}

async function textsIn(file: string): Promise<string[]> {
  const records = (await readFile(file, 'utf8'))
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  return records.flatMap(({ type, entry }) => (type === 'entry' ? entry.parts[0].text : []));
}

it('a request is sent before it is written, and its answer is passed on only afterwards', async () => {
  const { asks, upstream, order, file } = await answeredOnce();
  const answer = await asks(() => expect.poll(() => upstream.received.length).toBe(2));
  expect(answer).toMatchObject({ status: 200, isCut: false });
  expect(answer.body).toContain('Yes.');
  expect(order).toEqual(['sent', 'unlocked', 'answered']);
  await expect.poll(() => textsIn(file)).toEqual(['Hi.', 'Fine.', 'Go on.', 'Yes.']);
});

it('a request that another process writes into while it is sent is written after that, once', async () => {
  const { asks, upstream, file } = await answeredOnce();
  await asks(async () => {
    await expect.poll(() => upstream.received.length).toBe(2);
    const entry = { id: 'elsewhere', role: 'user', parts: [{ type: 'text', text: 'Elsewhere.' }], timestamp: null };
    await appendFile(file, `${JSON.stringify({ type: 'entry', parent: null, entry })}\n`);
  });
  await expect.poll(() => textsIn(file)).toEqual(['Hi.', 'Fine.', 'Elsewhere.', 'Go on.', 'Yes.']);
});

it('a request of a conversation with a pin is written before it is sent', async () => {
  const { asks, asked, order, upstream } = await answeredOnce({ pins: [{ kind: 'constraint', text: 'Never push.' }] });
  // The whole of another conversation's request fits into the time that this one waits.
  await asks(() => asked('Another conversation.'));
  expect(order).toEqual(['unlocked', 'sent', 'answered']);
  expect(upstream.received.at(-1)?.body.toString()).toContain('Never push.');
});

it('a request that is refused because it could not be written is called off at its provider', async () => {
  const upstream = await startUpstream((response) => response.writeHead(200).flushHeaders());
  const { address } = await startRunning(
    { upstream: upstream.url, folder: temporaryFolder() },
    {},
    {
      whenItFails: 'throw',
      keep: async ({ onUnchanged }) => {
        onUnchanged?.();
        await expect.poll(() => upstream.received.length).toBe(1);
        throw new Error('The disk is full.');
      },
    },
  );
  const { status, headers } = await ask(`${address}${chatApi.path}`, { body: chatApi.body('Hi.') });
  expect([status, headers['retry-after']]).toEqual([503, '1']);
  await expect.poll(() => upstream.abandoned.count).toBe(1);
});
