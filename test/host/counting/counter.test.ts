import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { countWithO200k } from '../../../extension/engine/conversation/tokenizer';
import { Counter, countInSlices } from '../../../extension/host/counting/counter';
import { ThreadEnded } from '../../../extension/platform/threads/thread-ended';
import { builtThread, threadThat } from '../../builders/built-thread';

const texts = ['', 'one two three', '<|im_start|>', '\ud800 🎉', 'x'.repeat(200_000), 'words and '.repeat(30_000)];
const exact = texts.map(countWithO200k);
const { signal } = new AbortController();
const opened: { dispose(): void }[] = [];
let thread: string;

beforeAll(async () => {
  thread = await builtThread('extension/host/counting/counting-thread.ts');
}, 120_000);

afterEach(() => {
  for (const disposable of opened.splice(0)) disposable.dispose();
});

function counterWith(file: string) {
  const warnings: string[] = [];
  const counter = new Counter(file, { warn: (message) => warnings.push(message) });
  opened.push(counter);
  return { count: counter.count, warnings, counter };
}

describe('counting in a thread', () => {
  it('gives the same counts as counting directly', async () => {
    const { count, warnings } = counterWith(thread);
    expect(await count(texts, signal)).toEqual(exact);
    expect(warnings).toEqual([]);
  });

  it('answers each of many concurrent requests', async () => {
    const { count } = counterWith(thread);
    const replies = await Promise.all(texts.map((text) => count([text], signal)));
    expect(replies.flat()).toEqual(exact);
  });

  it('rejects at once when cancelled, and continues with the next request', async () => {
    const { count, warnings } = counterWith(thread);
    const controller = new AbortController();
    const cancelled = count(texts, controller.signal);
    controller.abort(new Error('closed'));
    await expect(cancelled).rejects.toThrow('closed');
    expect(await count(texts, signal)).toEqual(exact);
    expect(warnings).toEqual([]);
  });

  it('rejects pending requests when it is disposed', async () => {
    const { count, counter, warnings } = counterWith(thread);
    const waiting = count(texts, signal);
    counter.dispose();
    await expect(waiting).rejects.toThrow(ThreadEnded);
    expect(warnings).toEqual([]);
  });
});

describe('a counting thread that fails', () => {
  const failures = {
    'is killed while it counts': "parentPort.on('message', () => process.exit(9));",
    'throws while it counts': "parentPort.on('message', () => { throw new Error('out of tables'); });",
    'cannot start': "throw new Error('no tables');",
  };

  for (const [name, does] of Object.entries(failures)) {
    it(`that ${name} is reported once, and the host counts the same`, async () => {
      const { count, warnings } = counterWith(await threadThat(does));
      expect(await Promise.all([count(texts, signal), count(texts, signal)])).toEqual([exact, exact]);
      expect(await count(texts, signal)).toEqual(exact);
      expect(warnings).toHaveLength(1);
      expect(warnings[0]).toMatch(/^A thread .+ Tokens are counted on the extension host from now on\.$/);
    });
  }

  it('a counting thread that fails because its file is missing is reported once, and the host counts the same', async () => {
    const { count, warnings } = counterWith('/nowhere/counting.cjs');
    expect(await count(texts, signal)).toEqual(exact);
    expect(warnings).toHaveLength(1);
  });
});

describe('counting on the host', () => {
  it('yields within one long text, and can be cancelled there', async () => {
    const controller = new AbortController();
    const long = 'some words '.repeat(100_000);
    let turns = 0;
    const others = setInterval(() => {
      turns += 1;
    }, 0);
    setImmediate(() => setImmediate(() => controller.abort(new Error('closed'))));
    const counting = countInSlices(async () => countWithO200k)([long], controller.signal);
    await expect(counting).rejects.toThrow('closed');
    expect(await countInSlices(async () => countWithO200k)([long], signal)).toEqual([countWithO200k(long)]);
    clearInterval(others);
    expect(turns).toBeGreaterThan(5);
  });
});
