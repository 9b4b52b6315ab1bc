import { vi } from 'vitest';

const looking = ['every', 'filter', 'find', 'findIndex', 'flatMap', 'forEach', 'map', 'some'] as const;

/** How many items the methods of arrays look at while something runs: tells whether work grows with what was before. */
export function itemsLookedAt(run: () => void): number {
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
