import { describe, expect, it } from 'vitest';
import { itemByKey } from '../../../webview/state/shared/keyboard';

describe('moving between items by keyboard', () => {
  const items = ['first', 'second', 'last'];
  const horizontal = (key: string, current: string | null, among = items) =>
    itemByKey(key, among, current, 'horizontal');

  it('arrow keys move to the neighbours and stop at the ends, from the last item at first', () => {
    expect(horizontal('ArrowLeft', null)).toBe('last');
    expect(horizontal('ArrowLeft', 'last')).toBe('second');
    expect(horizontal('ArrowLeft', 'first')).toBe('first');
    expect(horizontal('ArrowRight', 'second')).toBe('last');
    expect(horizontal('ArrowRight', 'last')).toBe('last');
  });

  it('Home and End move to the ends, and other keys move nowhere', () => {
    expect([horizontal('Home', 'last'), horizontal('End', 'first')]).toEqual(['first', 'last']);
    expect([horizontal('a', null), horizontal('ArrowLeft', null, [])]).toEqual([null, null]);
  });

  it('only the arrow keys of the chosen direction move', () => {
    expect([horizontal('ArrowUp', 'second'), itemByKey('ArrowLeft', items, 'second', 'vertical')]).toEqual([
      null,
      null,
    ]);
    expect([itemByKey('ArrowLeft', items, 'second', 'all'), itemByKey('ArrowDown', items, 'second', 'all')]).toEqual([
      'first',
      'last',
    ]);
  });
});
