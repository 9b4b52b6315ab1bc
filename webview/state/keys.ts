interface KeyGroup {
  readonly title: string;
  readonly keys: readonly { readonly keys: readonly string[]; readonly does: string }[];
}

/** What the overview of keys lists. */
export const keyGroups: readonly KeyGroup[] = [
  {
    title: 'Everywhere',
    keys: [
      { keys: ['Tab', 'Shift+Tab'], does: 'To the next part, and back' },
      { keys: ['Escape'], does: 'Close what is open: a list, a menu, a form' },
      { keys: ['?'], does: 'This overview' },
    ],
  },
  {
    title: 'Timeline',
    keys: [
      { keys: ['↑', '↓'], does: 'To the next row' },
      { keys: ['PageUp', 'PageDown'], does: 'By a page' },
      { keys: ['Home', 'End'], does: 'To the oldest and the newest row' },
      { keys: ['→', '←'], does: 'Open and close a block or a turn; to what it lies in' },
      { keys: ['Enter'], does: 'Show the whole row, and hide it' },
    ],
  },
  {
    title: 'Tabs',
    keys: [{ keys: ['→', '←'], does: 'To the next tab' }],
  },
  {
    title: 'Lists and menus',
    keys: [
      { keys: ['↑', '↓'], does: 'To the next entry' },
      { keys: ['Enter'], does: 'Choose it' },
    ],
  },
  {
    title: 'Core',
    keys: [
      { keys: ['Alt+↑', 'Alt+↓'], does: 'Move an item up or down' },
      { keys: ['Ctrl+Enter'], does: 'Save, pin or replace' },
    ],
  },
];

/** Where a person types, a question mark is text. */
export function asksForKeys(event: Pick<KeyboardEvent, 'key' | 'defaultPrevented' | 'composedPath'>): boolean {
  if (event.key !== '?' || event.defaultPrevented) return false;
  const [target] = event.composedPath();
  return !(target instanceof HTMLElement && (target.matches('input, textarea, select') || target.isContentEditable));
}
