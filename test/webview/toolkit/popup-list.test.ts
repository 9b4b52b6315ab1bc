import { describe, expect, it } from 'vitest';
import { PopupList } from '../../../webview/toolkit/popup-list.svelte';

const fruits = ['apple', 'banana', 'blueberry', 'cherry'];

function list(selected?: string) {
  const chosen: string[] = [];
  const popup = new PopupList<string>({
    items: () => fruits,
    label: (fruit) => fruit,
    choose: (fruit) => chosen.push(fruit),
    ...(selected === undefined ? {} : { isSelected: (fruit: string) => fruit === selected }),
  });
  return { popup, chosen };
}

describe('a list that opens from a button', () => {
  it.each(['ArrowDown', 'ArrowUp', 'Enter', ' '])('opens by "%s", at what is selected', (key) => {
    const { popup } = list('blueberry');

    expect(popup.press(key)).toBe(true);
    expect([popup.isOpen, popup.activeIndex]).toEqual([true, 2]);
  });

  it('leaves other keys alone while it is closed', () => {
    const { popup } = list();

    expect(['Tab', 'Escape', 'b'].map((key) => popup.press(key))).toEqual([false, false, false]);
    expect(popup.isOpen).toBe(false);
  });

  it.each([
    ['ArrowDown', 1],
    ['ArrowUp', 3],
    ['End', 3],
    ['Home', 0],
    ['b', 1],
    ['c', 3],
  ])('goes from the first item by "%s" to number %d', (key, index) => {
    const { popup } = list();
    popup.open();

    expect(popup.press(key)).toBe(true);
    expect(popup.activeIndex).toBe(index);
  });

  it('goes round at its ends, and from one item with a letter to the next', () => {
    const { popup } = list();
    popup.open();
    const visited = ['b', 'b', 'b', 'End', 'ArrowDown'].map((key) => {
      popup.press(key);
      return popup.activeIndex;
    });

    expect(visited).toEqual([1, 2, 1, 3, 0]);
  });

  it('chooses what is active, and closes', () => {
    const { popup, chosen } = list();
    popup.open();
    popup.press('ArrowDown');
    popup.press('Enter');

    expect([chosen, popup.isOpen]).toEqual([['banana'], false]);
  });

  it('closes without a choice', () => {
    const { popup, chosen } = list();
    popup.open();

    expect(popup.press('Escape')).toBe(true);
    expect([chosen, popup.isOpen]).toEqual([[], false]);
    expect(popup.press('z')).toBe(false);
  });

  it('leaves letters alone that no item begins with', () => {
    const { popup } = list();
    popup.open();

    expect(popup.press('z')).toBe(false);
    expect(popup.activeIndex).toBe(0);
  });
});
