import { expect, it } from 'vitest';
import { Pause } from '../../extension/conversations/compaction/automatic-runs';

it('a pause holds from the size at which nothing came of a compaction until enough was added', () => {
  const pause = new Pause();
  expect(pause.holds(1000, 100)).toBe(false);
  pause.begin(1000);
  expect([900, 1000, 1099].map((tokens) => pause.holds(tokens, 100))).toEqual([true, true, true]);
  expect(pause.holds(1100, 100)).toBe(false);
  pause.end();
  expect(pause.holds(1000, 100)).toBe(false);
});
