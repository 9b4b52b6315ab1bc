import { expect, it } from 'vitest';
import { isRunningSince } from '../../../extension/platform/files/running-process';

const hour = 3_600_000;

it('counts a process as running at a time after it began', async () => {
  expect(await isRunningSince(process.pid, Date.now())).toBe(true);
  expect(await isRunningSince(process.ppid, Date.now())).toBe(true);
});

it('counts a number without a process as not running', async () => {
  expect(await isRunningSince(2 ** 22 + 1, Date.now())).toBe(false);
});

it.runIf(process.platform === 'linux')('counts a process that began after the time as another one', async () => {
  const beforeStart = Date.now() - process.uptime() * 1000 - hour;
  expect(await isRunningSince(process.pid, beforeStart)).toBe(false);
});
