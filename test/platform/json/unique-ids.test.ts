import fc from 'fast-check';
import { expect, it } from 'vitest';
import { UniqueIds } from '../../../extension/platform/json/unique-ids';

const wanted = fc.array(fc.constantFrom('a', 'a#2', 'a#2#2', 'b'), { maxLength: 12 });

it('ids that are handed back, the newest first, are free as if they had never been taken', () => {
  fc.assert(
    fc.property(wanted, wanted, wanted, (kept, handedBack, next) => {
      const ids = new UniqueIds();
      for (const id of kept) ids.claim(id);
      const taken = handedBack.map((id) => ids.take(id));
      for (const claimed of taken.reverse()) ids.handBack(claimed);
      const fresh = new UniqueIds();
      for (const id of kept) fresh.claim(id);
      expect(next.map((id) => ids.claim(id))).toEqual(next.map((id) => fresh.claim(id)));
    }),
  );
});
