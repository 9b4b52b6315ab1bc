import { expect } from 'vitest';

/** Work on eight times the input may take four times as long for each piece. With a cost that grows with the square it would take eight. */
const growth = 8;
const patience = 4;

/** Below this, garbage collection and compilation weigh more than the work. In milliseconds. */
const leastMs = 20;

/** Asserts that the processor time of some work grows with the size of its input, not with the square of it. */
export function expectLinear(size: number, work: (size: number) => unknown): void {
  const small = Math.min(
    processorTime(() => work(size)),
    processorTime(() => work(size)),
  );
  const large = processorTime(() => work(size * growth));
  expect(large).toBeLessThan(Math.max(small, leastMs) * growth * patience);
}

/** In milliseconds. What other processes do meanwhile does not count. */
function processorTime(work: () => unknown): number {
  const began = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(began);
  return (user + system) / 1000;
}
