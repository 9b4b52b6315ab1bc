import { describe, expect, it } from 'vitest';
import { ShortCalls } from '../../../extension/platform/files/short-calls';

/** Calls that take as long as the test says, in milliseconds. */
function disk() {
  let now = 1_000;
  const passed = (ms: number) => {
    now += ms;
  };
  const calls = new ShortCalls(() => now);
  const called = (ms: number, outcome: () => string | undefined = () => 'here') =>
    calls.call(
      () => {
        passed(ms);
        return outcome();
      },
      async () => 'in the pool',
    );
  return { calls, called, passed };
}

const failing = () => {
  throw new Error('here');
};

describe('a call of the file system', () => {
  it('is made on this thread while the disk is fast, however many there are', async () => {
    const { called } = disk();
    const calls = [];
    for (let at = 0; at < 1_000; at += 1) calls.push(await called(0.9));
    expect(new Set(calls)).toEqual(new Set(['here']));
  });

  it('is made on this thread after some that were slow by chance', async () => {
    const { called, passed } = disk();
    const calls = [];
    for (let at = 0; at < 100; at += 1) {
      calls.push(await called(at % 10 === 0 ? 11 : 0.1));
      passed(30);
    }
    expect(new Set(calls)).toEqual(new Set(['here']));
  });

  it('holds this thread at most a twentieth of the time on a slow disk', async () => {
    const { called, passed } = disk();
    const calls = [];
    for (let at = 0; at < 1_000; at += 1) {
      const call = await called(6);
      calls.push(call);
      if (call === 'here') passed(4);
      else passed(10);
    }
    expect(calls.slice(0, 6)).toEqual(['here', 'here', 'here', 'here', 'here', 'in the pool']);
    expect(calls.filter((call) => call === 'here').length).toBeLessThan(110);
  });

  it('is made in the pool for a long time after one that hung, also if it failed', async () => {
    for (const outcome of [() => 'here', failing]) {
      const { called, passed } = disk();
      await called(10_000, outcome);
      passed(60_000);
      expect(await called(0.1)).toBe('in the pool');
      passed(200_000);
      expect(await called(0.1)).toBe('here');
    }
  });

  it('is made in the pool if it cannot be made on this thread, and fails as it does there', async () => {
    const { called, calls } = disk();
    expect(await called(0.1, failing)).toBe('in the pool');
    expect(await called(0.1, () => undefined)).toBe('in the pool');
    await expect(calls.call(failing, () => Promise.reject(new Error('in the pool')))).rejects.toThrow('in the pool');
  });
});
