import fc from 'fast-check';
import { expect, it } from 'vitest';
import { commonPrefixLength } from '../../../extension/engine/conversation/common-prefix';

interface Item {
  readonly name: number;
}

function counted(before: readonly Item[], after: readonly Item[]): number {
  let same = 0;
  while (same < before.length && same < after.length && before[same] === after[same]) same += 1;
  return same;
}

/** Makes a list from an earlier one: its first items, then others. */
const growth = fc.record({ of: fc.nat(20), kept: fc.nat(8), added: fc.nat(3), compared: fc.nat(20) });

it('the common beginning of lists that grow, shrink and branch is the same however often they were compared', () =>
  fc.assert(
    fc.property(fc.array(growth, { maxLength: 30 }), (steps) => {
      const lists: (readonly Item[])[] = [[{ name: 0 }, { name: 1 }]];
      const at = (index: number) => lists[index % lists.length] ?? [];
      for (const [name, { of, kept, added, compared }] of steps.entries()) {
        const before = at(of);
        lists.push([
          ...before.slice(0, Math.max(0, before.length - kept)),
          ...Array.from({ length: added }, () => ({ name })),
        ]);
        for (const other of [before, at(compared)])
          expect(commonPrefixLength(other, at(lists.length - 1))).toBe(counted(other, at(lists.length - 1)));
      }
      for (const some of lists)
        for (const other of lists) expect(commonPrefixLength(some, other)).toBe(counted(some, other));
    }),
  ));
