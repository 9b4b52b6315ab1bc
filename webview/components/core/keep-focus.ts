import { tick } from 'svelte';

const controls = 'vscode-button:not([disabled]), button:not([disabled]), summary';

/**
 * The keyboard stays where it was when an item moves, changes its list or goes: with the same item while it is there,
 * else with the one that took its place, else with the tab itself. Call the result after every change of the items.
 */
export function keepFocus(root: HTMLElement): { changed(): void; stop(): void } {
  let last: { element: HTMLElement; id: string | undefined; at: number } | null = null;
  const remember = ({ target }: FocusEvent) => {
    if (!(target instanceof HTMLElement)) return;
    const item = target.closest<HTMLElement>('[data-item]');
    last = { element: target, id: item?.dataset.item, at: item ? itemsIn(root).indexOf(item) : -1 };
  };
  root.addEventListener('focusin', remember);
  return {
    changed: () => void tick().then(() => restore()),
    stop: () => root.removeEventListener('focusin', remember),
  };

  function restore(): void {
    if (!last || last.at < 0 || document.activeElement !== document.body) return;
    const { element, id, at } = last;
    const items = itemsIn(root);
    const item = items.find(({ dataset }) => dataset.item === id) ?? items[Math.min(at, items.length - 1)];
    const inItem = item?.querySelector<HTMLElement>(controls) ?? root;
    (element.isConnected ? element : inItem).focus();
  }
}

function itemsIn(root: HTMLElement): HTMLElement[] {
  return [...root.querySelectorAll<HTMLElement>('[data-item]')].filter((item) => item.offsetParent !== null);
}
