import { expect } from 'vitest';

/**
 * With eight times the input, each item may take up to four times as long. At quadratic cost it would take eight times
 * as long.
 */
const growth = 8;
const patience = 4;

/** In milliseconds. In shorter runs, garbage collection and compilation dominate. */
const leastMs = 20;

/** Asserts that the processor time of some work grows linearly with the size of its input, and not quadratically. */
export function expectLinear(size: number, work: (size: number) => unknown): void {
  const small = Math.min(
    processorTime(() => work(size)),
    processorTime(() => work(size)),
  );
  const large = processorTime(() => work(size * growth));
  expect(large).toBeLessThan(Math.max(small, leastMs) * growth * patience);
}

/** In milliseconds. The time of other processes does not count. */
function processorTime(work: () => unknown): number {
  const began = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(began);
  return (user + system) / 1000;
}
