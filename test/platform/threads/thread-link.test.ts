import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { ModelFailed } from '../../../extension/engine/block/language-model';
import { localizable } from '../../../extension/engine/wording/localizable-text';
import { ThreadEnded } from '../../../extension/platform/threads/thread-ended';
import { ThreadLink, ThreadOnDemand, type ThreadOptions } from '../../../extension/platform/threads/thread-link';
import { builtThread } from '../../builders/built-thread';
import type { ExampleContract } from '../../builders/example-thread';

const folder = mkdtempSync(join(tmpdir(), 'strata-threads-'));
const opened: { dispose(): Promise<void> }[] = [];
let program: string;

beforeAll(async () => {
  program = await builtThread('test/builders/example-thread.ts');
}, 120_000);
afterEach(async () => {
  vi.useRealTimers();
  for (const thread of opened.splice(0)) await thread.dispose();
});
afterAll(() => rmSync(folder, { recursive: true }));

function link(options: Partial<ThreadOptions> = {}): ThreadLink<ExampleContract> {
  const thread = new ThreadLink<ExampleContract>({ program, start: { unit: 'cm' }, ...options });
  opened.push(thread);
  return thread;
}

describe('a request to a thread', () => {
  it('gets its own result, with the data that the thread had at its start', async () => {
    const thread = link();
    const sums = await Promise.all([1, 2, 3].map((a) => thread.request('add', { a, b: 10 })));
    expect(sums).toEqual(['11 cm', '12 cm', '13 cm']);
  });

  it('reports progress while a thread carries it out', async () => {
    const reported: string[] = [];
    await link().request('add', { a: 1, b: 2 }, { onProgress: (progress) => reported.push(progress) });
    expect(reported).toEqual(['adding']);
  });

  it('rejects with the localizable failure that the thread reports', async () => {
    const failure = await link()
      .request('fail', null)
      .catch((error: unknown) => error);
    expect(failure).toMatchObject({ wording: localizable('{0}: torn', 'a.jsonl:3') });
  });

  it('rejects at once when it is aborted, and the thread answers the next one', async () => {
    const thread = link();
    const controller = new AbortController();
    const aborted = thread.request('wait', { file: null }, { signal: controller.signal });
    controller.abort(new Error('closed'));
    await expect(aborted).rejects.toThrow('closed');
    expect(await thread.request('add', { a: 1, b: 1 })).toBe('2 cm');
  });

  it('lets a thread finish what it writes if an aborted request has a grace time', async () => {
    const file = join(folder, 'written.txt');
    const controller = new AbortController();
    const options = {
      signal: controller.signal,
      graceMs: 60_000,
      onProgress: () => controller.abort(new Error('stop')),
    };
    await expect(link().request('wait', { file }, options)).rejects.toThrow('stop');
    expect(readFileSync(file, 'utf8')).toBe('aborted');
  });
});

describe('a question of a thread', () => {
  it('is answered by the owner of the thread, with parts of the text ahead', async () => {
    const onQuestion = async (question: string, onText: (text: string) => void) => {
      onText('Thr');
      return `${question} Three.`;
    };
    expect(await link().request('ask', 'How many?', { onQuestion })).toEqual(['Thr', 'How many? Three.']);
  });

  it('rejects in the thread with the failure of its owner, a model’s by its kind', async () => {
    const onQuestion = async () => {
      throw new ModelFailed('refused', 'The model refused.');
    };
    const failure = await link()
      .request('ask', 'How many?', { onQuestion })
      .catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(ModelFailed);
    expect(failure).toMatchObject({ kind: 'refused', message: 'The model refused.' });
    await expect(link().request('ask', 'How many?')).rejects.toThrow('does not answer');
  });

  it('is aborted in its owner when its request is aborted', async () => {
    const controller = new AbortController();
    const answering = Promise.withResolvers<unknown>();
    const onQuestion = async (_question: string, _onText: unknown, signal: AbortSignal) => {
      controller.abort(new Error('closed'));
      answering.resolve(signal.reason);
      return 'Three.';
    };
    const asking = link().request('ask', 'How many?', { signal: controller.signal, onQuestion });
    await expect(asking).rejects.toThrow('closed');
    expect(await answering.promise).toBe(controller.signal.reason);
  });

  it('is aborted in its owner when its thread ends', async () => {
    const thread = link();
    const answering = Promise.withResolvers<unknown>();
    const onQuestion = async (_question: string, _onText: unknown, signal: AbortSignal) => {
      await thread.dispose();
      answering.resolve(signal.reason);
      return 'Three.';
    };
    await expect(thread.request('ask', 'How many?', { onQuestion })).rejects.toThrow(ThreadEnded);
    expect(await answering.promise).toMatchObject({ end: 'disposed' });
  });
});

describe('the end of a thread', () => {
  it.each([
    ['exits', 'exit', 'died', /exit code 3/],
    ['throws', 'crash', 'died', /on the rocks/],
  ] as const)('rejects pending requests if it %s', async (_, method, end, message) => {
    const failure = await link()
      .request(method, null)
      .catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(ThreadEnded);
    expect(failure).toMatchObject({ end, message: expect.stringMatching(message) });
  });

  it('rejects requests to a thread whose program is missing', async () => {
    const failure = await link({ program: '/nowhere/thread.cjs' })
      .request('exit', null)
      .catch((error: unknown) => error);
    expect(failure).toMatchObject({ end: 'not-started', message: expect.stringMatching(/^A thread could not be/) });
  });

  it('rejects pending requests when the owner disposes of the thread', async () => {
    const thread = link();
    const waiting = thread.request('wait', { file: null }).catch((error: unknown) => error);
    await thread.dispose();
    expect(await waiting).toMatchObject({ end: 'disposed' });
    await expect(thread.request('add', { a: 1, b: 1 })).rejects.toThrow(ThreadEnded);
  });
});

describe('a thread that sends nothing', () => {
  const silentMs = 180_000;

  it('is ended though others send it requests, and give them up', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const thread = link({ silentMs });
    const stuck = thread.request('hang', null).catch((error: unknown) => error);
    for (let sent = 0; sent < 9; sent += 1) {
      expect(thread.isAlive).toBe(true);
      await vi.advanceTimersByTimeAsync(silentMs / 9);
      const controller = new AbortController();
      thread.request('add', { a: 1, b: 1 }, { signal: controller.signal }).catch(() => undefined);
      controller.abort();
    }
    expect(await stuck).toMatchObject({ end: 'silent' });
  });

  it('continues while its owner answers a question, and is ended if it sends nothing after the answer', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const thread = link({ silentMs });
    const answered = Promise.withResolvers<void>();
    const onQuestion = async () => {
      thread.request('hang', null).catch(() => undefined);
      await vi.advanceTimersByTimeAsync(300_000);
      expect(thread.isAlive).toBe(true);
      answered.resolve();
      return 'Three.';
    };
    const asking = thread.request('ask', 'How many?', { onQuestion }).catch((error: unknown) => error);
    await answered.promise;
    await vi.advanceTimersByTimeAsync(silentMs);
    expect(await asking).toMatchObject({ end: 'silent' });
  });
});

describe('a thread on demand', () => {
  function onDemand(idleMs?: number): ThreadOnDemand<ExampleContract> {
    const thread = new ThreadOnDemand<ExampleContract>({
      program,
      start: { unit: 'cm' },
      ...(idleMs ? { idleMs } : {}),
    });
    opened.push(thread);
    return thread;
  }

  it('is not started by an aborted request', async () => {
    const thread = onDemand();
    const signal = AbortSignal.abort(new Error('closed'));
    await expect(thread.request('add', { a: 1, b: 1 }, { signal })).rejects.toThrow('closed');
    expect(thread.isRunning).toBe(false);
  });

  it('ends when idle, and starts again with the next request', async () => {
    const thread = onDemand(1);
    expect(await thread.request('add', { a: 1, b: 1 })).toBe('2 cm');
    await expect.poll(() => thread.isRunning).toBe(false);
    expect(await thread.request('add', { a: 1, b: 2 })).toBe('3 cm');
  });

  it('starts again after it died', async () => {
    const thread = onDemand();
    await expect(thread.request('exit', null)).rejects.toThrow(ThreadEnded);
    expect(await thread.request('add', { a: 1, b: 1 })).toBe('2 cm');
  });
});
