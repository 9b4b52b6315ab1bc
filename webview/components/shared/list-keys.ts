import type { Attachment } from 'svelte/attachments';
import { type ArrowKeys, hasModifier, itemByKey } from '../../state/shared/keyboard';

interface ListKeys {
  /** CSS selector of the items within the list. */
  readonly items: string;
  readonly arrows: ArrowKeys;
}

/**
 * Keyboard of the editor's own lists: the list is one tab stop, and the arrow keys, Home and End move between its
 * items. The right arrow key opens an expandable item, the left one closes it.
 */
export function listKeys({ items: selector, arrows }: ListKeys): Attachment<HTMLElement> {
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
      if (hasModifier(event)) return;
      if (!(target instanceof HTMLElement) || !target.matches(selector)) return;
      const next = itemByKey(event.key, items(), target, arrows);
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

function changesItem(key: string, item: HTMLElement): boolean {
  const isOpen = item.getAttribute('aria-expanded');
  return (key === 'ArrowRight' && isOpen === 'false') || (key === 'ArrowLeft' && isOpen === 'true');
}
