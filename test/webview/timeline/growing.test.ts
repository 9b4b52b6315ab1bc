import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Row } from '../../../extension/protocol/view';
import { tokensAbove } from '../../../webview/state/timeline/minimap';
import { largestTokens, type Running } from '../../../webview/state/timeline/running';
import { type FoundTurns, findTurns } from '../../../webview/state/timeline/turns';
import { row } from '../builders/view';

/** Results kept from one change to the next must equal a fresh computation. */

const rows = fc.array(
  fc
    .record({ kind: fc.constantFrom('system', 'user', 'assistant', 'tool', 'goal_batch'), tokens: fc.nat(500) })
    .map((fields) => row('r', fields)),
  { maxLength: 30 },
);

/** Each change takes some rows away at the end and adds others. */
const changes = fc.array(fc.tuple(fc.nat(5), rows), { minLength: 1, maxLength: 6 });

function states(steps: readonly (readonly [number, readonly Row[]])[]): Row[][] {
  const found: Row[][] = [];
  for (const [gone, added] of steps) {
    const before = found.at(-1) ?? [];
    found.push([...before.slice(0, Math.max(0, before.length - gone)), ...added]);
  }
  return found;
}

describe('rows that grow', () => {
  it('have the same turns as a full search', () => {
    fc.assert(
      fc.property(changes, (steps) => {
        let before: FoundTurns | null = null;
        for (const shown of states(steps)) {
          const turns = findTurns(shown, before);
          expect(turns).toEqual(findTurns(shown));
          before = { rows: shown, turns };
        }
      }),
    );
  });

  it('have the same sums of tokens as a full addition', () => {
    fc.assert(
      fc.property(changes, (steps) => {
        let above: Running | null = null;
        let largest: Running | null = null;
        for (const shown of states(steps)) {
          above = tokensAbove(shown, above);
          largest = largestTokens(shown, largest);
          expect(above.values).toEqual(tokensAbove(shown, null).values);
          expect(largest.values.at(-1)).toBe(largestTokens(shown, null).values.at(-1));
        }
      }),
    );
  });
});
