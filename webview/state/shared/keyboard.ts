/** The arrow keys that move between items. */
export type ArrowKeys = 'horizontal' | 'vertical' | 'all';

const arrows: Readonly<Record<ArrowKeys, { readonly back: readonly string[]; readonly on: readonly string[] }>> = {
  horizontal: { back: ['ArrowLeft'], on: ['ArrowRight'] },
  vertical: { back: ['ArrowUp'], on: ['ArrowDown'] },
  all: { back: ['ArrowUp', 'ArrowLeft'], on: ['ArrowDown', 'ArrowRight'] },
};

/** The item that an arrow key, Home or End moves to; null for other keys. Without a current item, starts at the end. */
export function itemByKey<Item>(
  key: string,
  items: readonly Item[],
  current: Item | null,
  keys: ArrowKeys,
): Item | null {
  const last = items.length - 1;
  const place = current === null ? items.length : items.indexOf(current);
  if (arrows[keys].back.includes(key)) return items[Math.max(0, place - 1)] ?? null;
  if (arrows[keys].on.includes(key)) return items[Math.min(last, place + 1)] ?? null;
  if (key === 'Home') return items[0] ?? null;
  return key === 'End' ? (items[last] ?? null) : null;
}

/** Shortcuts with a modifier belong to the editor. */
export function hasModifier(event: Pick<KeyboardEvent, 'ctrlKey' | 'metaKey' | 'altKey'>): boolean {
  return event.ctrlKey || event.metaKey || event.altKey;
}

/** Ctrl+Enter or Cmd+Enter, which submits a text. */
export function isSubmit(event: Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey'>): boolean {
  return event.key === 'Enter' && (event.ctrlKey || event.metaKey);
}

/** Whether the key is typed into a text field. */
export function isInText(event: Pick<KeyboardEvent, 'composedPath'>): boolean {
  const [target] = event.composedPath();
  return target instanceof HTMLElement && (target.matches('input, textarea, select') || target.isContentEditable);
}
