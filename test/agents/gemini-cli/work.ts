import { vi } from 'vitest';

const looking = ['every', 'filter', 'find', 'findIndex', 'flatMap', 'forEach', 'map', 'some'] as const;

/** Counts the items that array methods visit during a run, to measure how the work grows. */
export function countVisitedItems(run: () => void): number {
  let count = 0;
  const spies = looking.map((method) => {
    const original = Array.prototype[method] as (...words: unknown[]) => unknown;
    return vi.spyOn(Array.prototype, method).mockImplementation(function (this: unknown[], ...words: unknown[]) {
      const [look, ...rest] = words as [(...item: unknown[]) => unknown, ...unknown[]];
      const counted = (...item: unknown[]): unknown => {
        count += 1;
        return look(...item);
      };
      return original.call(this, counted, ...rest) as never;
    });
  });
  try {
    run();
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
  return count;
}
