import { describe, expect, it } from 'vitest';
import { sameList } from '../../../extension/engine/conversation/once-per';

describe('lists of the same objects', () => {
  const [one, two, three] = [{ name: 'one' }, { name: 'two' }, { name: 'three' }];

  it('lists of the same objects are one list', () => {
    const list = [one, two];
    expect(sameList(list)).toBe(list);
    expect(sameList([one, two])).toBe(list);
  });

  it('lists of the same objects are not the lists of other objects, of equal ones, or of more', () => {
    for (const other of [[one, three], [one, two, three], [one], [two, one], [one, { name: 'two' }], []])
      expect(sameList(other)).toEqual(other);
    expect(sameList([one, two, three])).toHaveLength(3);
  });
});
