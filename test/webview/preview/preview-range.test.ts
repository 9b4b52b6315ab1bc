import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { PreviewRange } from '../../../webview/state/preview/preview-range.svelte';
import { SessionState } from '../../../webview/state/session.svelte';
import { byGroup, groupLabel } from '../../../webview/state/shared/strategy-groups';
import { row, view } from '../builders/view';

/** Turns 3 to 8, each with a reply. Turns from 7 on may not be chosen. */
function open() {
  const rows = [3, 4, 5, 6, 7, 8].flatMap((turn) => [row(`u${turn}`, { kind: 'user', turn }), row(`a${turn}`)]);
  const session = new SessionState();
  session.open(view({ rows: [row('system', { kind: 'system' }), ...rows], ageLineKey: 'u7' }));
  return new PreviewRange(session);
}

describe('a range of turns', () => {
  it('offers the turns above the age line', () => {
    expect(open().turns.map(({ turn }) => turn)).toEqual([3, 4, 5, 6]);
  });

  it.each([
    [null, null, null],
    ['u4', null, 'Only from turn 4 on'],
    [null, 'u6', 'Only up to turn 5'],
    ['u4', 'u7', 'Only turns 4–6'],
    ['u4', 'u5', 'Only turn 4'],
    [null, 'u3', 'Only what is before turn 3'],
    ['gone', null, 'Turns that are no longer in the context'],
    [null, 'gone', 'Turns that are no longer in the context'],
  ])('a range of turns from %s up to %s reads: %s', (from, upTo, words) => {
    const range = open();

    range.set({ from, upTo });

    expect(range.words).toBe(words);
  });

  it('names its last turn by the first that stays', () => {
    const range = open();

    range.setLast('u5');

    expect([range.value, range.lastKey]).toEqual([{ from: null, upTo: 'u6' }, 'u5']);
  });

  it('is not a range without a start or an end', () => {
    const range = open();
    range.setFrom('u4');
    range.setFrom(null);

    expect(range.value).toBeNull();
  });

  it('never ends before it begins, whatever is chosen', () => {
    const keys = fc.constantFrom(null, 'u3', 'u4', 'u5', 'u6');
    const choice = fc.record({ end: fc.constantFrom('from', 'last'), key: keys });
    fc.assert(
      fc.property(fc.array(choice), (choices) => {
        const range = open();
        for (const { end, key } of choices) {
          if (end === 'from') range.setFrom(key);
          else range.setLast(key);
          const { from, upTo } = range.value ?? { from: null, upTo: null };
          if (from !== null && upTo !== null) expect(from < upTo).toBe(true);
        }
      }),
    );
  });
});

describe('strategies', () => {
  it('are grouped at the place of the first of their group', () => {
    const strategies = ['a tiers', 'b memory', 'c tiers', 'd mine'].map((words) => {
      const [name = '', group = ''] = words.split(' ');
      return { name, group, title: name, description: '' };
    });

    expect(byGroup(strategies).map(({ name }) => name)).toEqual(['a', 'c', 'b', 'd']);
    expect([groupLabel('memory'), groupLabel('mine')]).toEqual(['Memory', 'mine']);
  });
});
