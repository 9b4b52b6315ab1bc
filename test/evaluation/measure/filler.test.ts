import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { namesIn } from '../../../extension/engine/language/names';
import { Random } from '../../../extension/evaluation/measure/random';
import { fillerOf } from '../../../extension/evaluation/measure/tasks/filler';
import { fillerKinds } from '../../../extension/evaluation/measure/tasks/task';

describe('filler', () => {
  it('filler has the requested number of lines, no names, and is the same for the same seed', () => {
    fc.assert(
      fc.property(
        fc.integer(),
        fc.constantFrom(...fillerKinds),
        fc.integer({ min: 1, max: 60 }),
        (seed, kind, lines) => {
          const text = fillerOf(kind, lines, new Random('noise', seed));
          expect(text).toBe(fillerOf(kind, lines, new Random('noise', seed)));
          expect(text.split('\n')).toHaveLength(lines);
          expect(namesIn(text)).toEqual([]);
        },
      ),
      { numRuns: 60 },
    );
  });
});
