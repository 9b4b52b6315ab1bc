import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { type Method, requests } from '../../extension/protocol/messages';
import { answer, createCaller, type NotificationHandlers, type RequestHandlers } from '../../extension/protocol/rpc';
import { notificationBodies } from '../../extension/protocol/schemas';

/** Tests that messages are checked before they are used. */

const methods = Object.keys(requests) as Method[];

function recording() {
  const done: unknown[] = [];
  const handler = (method: Method) => async (params: unknown) => void done.push([method, params]);
  const handlers = Object.fromEntries(methods.map((method) => [method, handler(method)]));
  return { done, handlers: handlers as unknown as RequestHandlers };
}

const ask = (handlers: RequestHandlers, method: unknown, params: unknown) =>
  answer({ kind: 'request', id: 1, method, params }, handlers, () => undefined);

describe('requests of the panel', () => {
  it('requests of the panel are carried out when their parameters are those of the method', async () => {
    const { done, handlers } = recording();
    await ask(handlers, 'undo', { run: 3 });
    await ask(handlers, 'preview-compaction', {
      strategy: 'prune',
      instructions: '',
      range: { from: 'a', upTo: null },
      targetTokens: null,
    });
    expect(done).toEqual([
      ['undo', { run: 3 }],
      [
        'preview-compaction',
        { strategy: 'prune', instructions: '', range: { from: 'a', upTo: null }, targetTokens: null },
      ],
    ]);
  });

  it.each([
    ['open-session', { file: 7 }, 'file'],
    ['open-session', { file: 'a', also: 'b' }, 'also'],
    ['undo', { run: -1 }, 'run'],
    ['writing-cost', { strategy: null }, 'strategy'],
    ['write-compared', { strategy: 'prune', targetTokens: 1 }, 'targetTokens'],
    ['pin', { kind: 'wish', text: 'a', rowKey: null }, 'kind'],
    ['put-back', { id: 'strata:1', texts: ['a', null] }, 'texts.1'],
    ['redo', 'now', 'redo'],
  ] as const)('are refused with the place that is wrong: %s %j', async (method, params, place) => {
    const { done, handlers } = recording();
    const reply = await ask(handlers, method, params);
    expect(reply).toMatchObject({ err: expect.stringContaining(place) });
    expect(done).toEqual([]);
  });

  it('settle and do nothing, whatever else comes in their place', () =>
    fc.assert(
      fc.asyncProperty(fc.constantFrom(...methods), fc.anything(), async (method, params) => {
        const { done, handlers } = recording();
        const reply = await ask(handlers, method, params);
        expect(reply !== null && 'err' in reply ? 0 : 1).toBe(done.length);
      }),
    ));

  it('requests of the panel that no handler is for are left alone, names of Object among them', async () => {
    const { done, handlers } = recording();
    for (const method of ['toString', '__proto__', 'no-such-method', 4]) {
      expect(await ask(handlers, method, {})).toBeNull();
    }
    expect(done).toEqual([]);
  });
});

describe('notifications of the host', () => {
  it('notifications of the host of another frame are left out, with a word about it', () => {
    const warned = vi.spyOn(console, 'warn').mockReturnValue();
    const told: unknown[] = [];
    const topics = Object.keys(notificationBodies);
    const handlers = Object.fromEntries(topics.map((topic) => [topic, (body: unknown) => told.push(body)]));
    const caller = createCaller(() => undefined, handlers as unknown as NotificationHandlers);
    const tell = (topic: string, body: unknown) => caller.receive({ kind: 'notification', topic, body });
    tell('session-changed', { change: 'all of it' });
    tell('row-action', { action: 'explode', key: 'a' });
    tell('unknown', {});
    expect(told).toEqual([]);
    expect(warned).toHaveBeenCalledTimes(2);
    tell('row-action', { action: 'pin', key: 'a' });
    expect(told).toEqual([{ action: 'pin', key: 'a' }]);
    warned.mockRestore();
  });
});
