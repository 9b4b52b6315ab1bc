import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { WorkFailed, type WorkProgress } from '../../extension/evaluation/threads/work';
import { WorkThreadEnded, workInThread } from '../../extension/evaluation/threads/work-in-thread';
import { ReadingWorker } from '../../extension/host/evaluation/reading/reading-worker';

const folder = mkdtempSync(join(tmpdir(), 'strata-threads-'));
afterAll(() => rmSync(folder, { recursive: true }));

let programs = 0;
function program(code: string): string {
  programs += 1;
  const path = join(folder, `program-${programs}.cjs`);
  writeFileSync(path, `const { parentPort, workerData } = require('node:worker_threads');\n${code}`);
  return path;
}

const never = new AbortController().signal;
const places = { results: null, replay: null, source: '' };

describe('a piece of work in a thread', () => {
  it('returns its result and reports its progress', async () => {
    const told: WorkProgress[] = [];
    const adds = program(`
      parentPort.postMessage({ kind: 'progress', progress: { done: 1, of: 2, subject: 'one' } });
      parentPort.postMessage({ kind: 'done', result: workerData.a + workerData.b });
    `);
    const options = { signal: never, onProgress: (progress: WorkProgress) => told.push(progress) };
    expect(await workInThread(adds, { a: 2, b: 3 }, options)).toBe(5);
    expect(told).toEqual([{ done: 1, of: 2, subject: 'one' }]);
  });

  it('rejects with the message of its failure', async () => {
    const fails = program(`
      parentPort.postMessage({ kind: 'failed', name: 'ResultsUnusable', wording: { text: '{0}: torn', values: ['a.jsonl:3'] }, detail: 'stack' });
    `);
    const failure = await workInThread(fails, {}, { signal: never }).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(WorkFailed);
    expect(failure).toMatchObject({ message: 'a.jsonl:3: torn', stack: 'stack' });
  });

  it.each([
    ['throws', `throw new Error('on the rocks');`, /on the rocks/],
    ['ends without a reply', '', /too early, with code 0/],
  ])('rejects if its thread %s', async (_, code, message) => {
    const failure = await workInThread(program(code), {}, { signal: never }).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(WorkThreadEnded);
    expect(String(failure)).toMatch(message);
  });

  it('a piece of work in a thread can clean up when it is stopped', async () => {
    const written = join(folder, 'written.txt');
    const writes = program(`
      parentPort.once('message', ({ kind }) => {
        require('node:fs').writeFileSync(${JSON.stringify(written)}, kind);
        parentPort.postMessage({ kind: 'failed', name: 'AbortError', wording: { text: 'stopped', values: [] }, detail: '' });
      });
      parentPort.postMessage({ kind: 'progress', progress: { done: 0, of: 1, subject: '' } });
    `);
    const stopping = new AbortController();
    const reason = new Error('The person stopped it.');
    const work = workInThread(writes, {}, { signal: stopping.signal, onProgress: () => stopping.abort(reason) });
    await expect(work).rejects.toBe(reason);
    expect(readFileSync(written, 'utf8')).toBe('stop');
  });
});

describe('a question of a thread', () => {
  const asks = program(`
    parentPort.once('message', ({ id, answer }) => parentPort.postMessage({ kind: 'done', result: { id, answer } }));
    parentPort.postMessage({ kind: 'question', id: 7, question: 'How many?' });
  `);

  it('a question of a thread is answered by its owner', async () => {
    const onQuestion = async (question: unknown) => `${question} Three.`;
    expect(await workInThread(asks, {}, { signal: never, onQuestion })).toEqual({ id: 7, answer: 'How many? Three.' });
  });

  it('ends the work with the reason if it cannot be answered', async () => {
    const onQuestion = async () => {
      throw new Error('Nobody knows.');
    };
    await expect(workInThread(asks, {}, { signal: never, onQuestion })).rejects.toThrow('Nobody knows.');
    await expect(workInThread(asks, {}, { signal: never })).rejects.toThrow(WorkThreadEnded);
  });
});

describe('the reading thread', () => {
  const echoes = program(`
    parentPort.on('message', ({ id, method, params }) => {
      if (params.id === 'exit') process.exit(3);
      if (params.id === 'fail') parentPort.postMessage({ id, kind: 'failed', name: 'E', wording: { text: 'no', values: [] }, detail: '' });
      else parentPort.postMessage({ id, kind: 'done', result: { method, id: params.id } });
    });
  `);

  it('answers each request with its own reply', async () => {
    using reading = disposed(new ReadingWorker(echoes));
    const ids = ['a', 'b', 'c'];
    const answers = await Promise.all(ids.map((id) => reading.worker.read(places, 'read-probe', { id })));
    expect(answers).toEqual(ids.map((id) => ({ method: 'read-probe', id })));
    await expect(reading.worker.read(places, 'read-probe', { id: 'fail' })).rejects.toThrow(WorkFailed);
  });

  it('the reading thread is started again by the next request', async () => {
    using reading = disposed(new ReadingWorker(echoes));
    await expect(reading.worker.read(places, 'read-probe', { id: 'exit' })).rejects.toThrow(WorkThreadEnded);
    expect(await reading.worker.read(places, 'read-probe', { id: 'd' })).toEqual({ method: 'read-probe', id: 'd' });
  });
});

function disposed(worker: ReadingWorker) {
  return { worker, [Symbol.dispose]: () => worker.dispose() };
}
