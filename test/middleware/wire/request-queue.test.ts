import fc from 'fast-check';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { PassingAnswer } from '../../../extension/middleware/requests/passing-answer';
import type { AnswerRecorder } from '../../../extension/middleware/requests/recording';
import { RequestQueue } from '../../../extension/middleware/wire/request-queue';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));

afterEach(() => void vi.useRealTimers());

const short = 1_000;
const long = 3_000_000;

/** Work that ends when the test says so, and a list of the work that has begun. */
function board() {
  const queue = new RequestQueue();
  const begun: string[] = [];
  const ends = new Map<string, (failure?: Error) => void>();
  const work = (name: string) => () => {
    begun.push(name);
    return new Promise<string>((resolve, reject) => {
      ends.set(name, (failure) => (failure ? reject(failure) : resolve(name)));
    });
  };
  const add = (name: string, bytes = short) => queue.run(bytes, work(name));
  const addAnswer = (name: string) => queue.runAfterRequests(work(name));
  return { add, addAnswer, begun, end: (name: string, failure?: Error) => ends.get(name)?.(failure) };
}

function passing(queue: RequestQueue, answer: AnswerRecorder | null, done: () => void): PassingAnswer {
  return new PassingAnswer({ answer, done }, new AbortController().signal, () => undefined, queue);
}

function names(count: number): string[] {
  return Array.from({ length: count }, (_, at) => `r${at}`);
}

it('begins work in the order in which it came, and no more than eight at a time, whatever ends first', async () => {
  const endings = fc.array(fc.tuple(fc.nat(), fc.boolean()), { minLength: 60, maxLength: 60 });
  await fc.assert(
    fc.asyncProperty(endings, async (choices) => {
      const { add, begun, end } = board();
      const done: string[] = [];
      const results = names(60).map((name) => add(name).then(...both(() => done.push(name))));
      for (const [choice, fails] of choices) {
        await new Promise(setImmediate);
        expect(begun.length - done.length).toBe(Math.min(8, 60 - done.length));
        const atWork = begun.filter((name) => !done.includes(name));
        end(atWork[choice % atWork.length] ?? '', fails ? new Error('no') : undefined);
      }
      await Promise.all(results);
      expect(begun).toEqual(names(60));
    }),
    { numRuns: 30 },
  );
});

function both(work: () => void) {
  return [work, work] as const;
}

it('lets the next one begin while work waits long for something else, such as a model', async () => {
  const { add, begun, end } = board();
  const first = names(9).map((name) => add(name));
  await vi.advanceTimersByTimeAsync(40);
  expect(begun).toHaveLength(8);
  await vi.advanceTimersByTimeAsync(20);
  expect(begun).toHaveLength(9);
  for (const name of names(9)) end(name);
  expect(await Promise.all(first)).toEqual(names(9));
});

it('reads long bodies one after the other, and lets no short one wait for them', async () => {
  const { add, begun, end } = board();
  const all = [...names(5).map((name) => add(name, long)), add('short')];
  await new Promise(setImmediate);
  expect(begun).toEqual(['r0', 'short']);
  for (const [at, name] of names(5).entries()) {
    expect(begun).toEqual(['r0', 'short', ...names(5).slice(1, at + 1)]);
    end(name);
    await new Promise(setImmediate);
  }
  end('short');
  expect(await Promise.all(all)).toEqual([...names(5), 'short']);
});

it('records an answer some milliseconds after its end, when its client has it', async () => {
  const record = vi.fn(async () => undefined);
  const recording = new RequestQueue().beginAnswer()(record);
  await new Promise(setImmediate);
  expect(record).not.toHaveBeenCalled();
  await vi.runAllTimersAsync();
  await recording;
  expect(record).toHaveBeenCalledOnce();
});

it('stores answers after the requests that wait', async () => {
  const { add, addAnswer, begun, end } = board();
  const work = names(8).map((name) => add(name));
  const later = [addAnswer('first answer'), addAnswer('second answer'), add('r8'), add('r9'), add('r10')];
  const ended = async (name: string) => {
    end(name);
    await new Promise(setImmediate);
    return begun.at(-1);
  };
  expect(await ended('r0')).toBe('r8');
  expect(await ended('r8')).toBe('r9');
  expect(await ended('r9')).toBe('r10');
  expect(await ended('r10')).toBe('first answer');
  expect(await ended('first answer')).toBe('second answer');
  end('second answer');
  for (const name of names(8)) end(name);
  await Promise.all([...work, ...later]);
});

it('stores an answer that has waited for a second before the requests that wait', async () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  const { add, addAnswer, begun, end } = board();
  const work = names(8).map((name) => add(name));
  const later = [addAnswer('answer'), add('r8')];
  vi.advanceTimersByTime(1_000);
  end('r0');
  await new Promise(setImmediate);
  expect(begun.at(-1)).toBe('answer');
  end('r1');
  await new Promise(setImmediate);
  expect(begun.at(-1)).toBe('r8');
  for (const name of [...names(9), 'answer']) end(name);
  await Promise.all([...work, ...later]);
});

it('neither keeps a place for an answer that is not recorded nor waits for it at the end', async () => {
  const queue = new RequestQueue();
  const { promise, resolve } = Promise.withResolvers<void>();
  const work = names(8).map(() => queue.run(short, () => promise));
  const done = vi.fn();
  const open = passing(queue, null, done);
  expect(await queue.answersRecorded(0)).toBe(0);
  await open.end('answered');
  expect(done).toHaveBeenCalledOnce();
  resolve();
  await Promise.all(work);
});
