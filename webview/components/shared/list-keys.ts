import type { Attachment } from 'svelte/attachments';

export interface ListKeys {
  /** Selects the items within the list. */
  readonly items: string;
  /** The arrow keys that move: up and down, or those to the sides as well. */
  readonly moves: 'up-and-down' | 'all-ways';
}

/**
 * A list as the editor's own: one stop of the Tab key, arrow keys, Home and End between its items. Where items open and
 * close, the right arrow opens and the left one closes. What an item does when it is pressed stays its own.
 */
export function listKeys({ items: selector, moves }: ListKeys): Attachment<HTMLElement> {
  return (list) => {
    let current: HTMLElement | null = null;
    let place = 0;
    const items = () => [...list.querySelectorAll<HTMLElement>(selector)];

    function setCurrent(next: HTMLElement | null): void {
      const all = items();
      current = next && all.includes(next) ? next : (all[Math.min(place, all.length - 1)] ?? null);
      place = current ? all.indexOf(current) : 0;
      for (const item of all) item.tabIndex = item === current ? 0 : -1;
    }

    function onfocusin({ target }: FocusEvent): void {
      if (target instanceof HTMLElement && target.matches(selector)) setCurrent(target);
    }

    function onkeydown(event: KeyboardEvent): void {
      const { target } = event;
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      if (!(target instanceof HTMLElement) || !target.matches(selector)) return;
      const next = itemByKey(event.key, items(), target, moves);
      if (next) next.focus();
      else if (!changesItem(event.key, target)) return;
      else target.click();
      event.preventDefault();
      event.stopPropagation();
    }

    const watching = new MutationObserver(() => setCurrent(current));
    watching.observe(list, { childList: true, subtree: true, attributes: true, attributeFilter: ['disabled'] });
    list.addEventListener('focusin', onfocusin);
    list.addEventListener('keydown', onkeydown);
    setCurrent(null);
    return () => {
      watching.disconnect();
      list.removeEventListener('focusin', onfocusin);
      list.removeEventListener('keydown', onkeydown);
    };
  };
}

function itemByKey(
  key: string,
  items: readonly HTMLElement[],
  current: HTMLElement,
  moves: ListKeys['moves'],
): HTMLElement | null {
  const place = items.indexOf(current);
  const last = items.length - 1;
  const [back, on] =
    moves === 'all-ways'
      ? [
          ['ArrowUp', 'ArrowLeft'],
          ['ArrowDown', 'ArrowRight'],
        ]
      : [['ArrowUp'], ['ArrowDown']];
  if (back?.includes(key)) return items[Math.max(0, place - 1)] ?? null;
  if (on?.includes(key)) return items[Math.min(last, place + 1)] ?? null;
  if (key === 'Home') return items[0] ?? null;
  return key === 'End' ? (items[last] ?? null) : null;
}

function changesItem(key: string, item: HTMLElement): boolean {
  const isOpen = item.getAttribute('aria-expanded');
  return (key === 'ArrowRight' && isOpen === 'false') || (key === 'ArrowLeft' && isOpen === 'true');
}
