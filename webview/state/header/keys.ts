import { t } from '../../l10n';
import { isInText } from '../shared/keyboard';

interface KeyGroup {
  readonly title: string;
  readonly keys: readonly { readonly keys: readonly string[]; readonly does: string }[];
}

/** The overview of keyboard shortcuts. */
export const keyGroups: readonly KeyGroup[] = [
  {
    title: t('Everywhere'),
    keys: [
      { keys: ['Tab', 'Shift+Tab'], does: t('To the next part, and back') },
      { keys: ['Escape'], does: t('Close what is open: a list, a menu, a form') },
      { keys: ['Ctrl+Enter'], does: t('Save, pin or preview what is being written') },
      { keys: ['Ctrl+Z'], does: t('Undo the newest compaction') },
      { keys: ['Ctrl+Y', 'Ctrl+Shift+Z'], does: t('Redo it') },
      { keys: ['?'], does: t('This overview') },
    ],
  },
  {
    title: t('Timeline'),
    keys: [
      { keys: ['↑', '↓'], does: t('To the next row') },
      { keys: ['PageUp', 'PageDown'], does: t('By a page') },
      { keys: ['Home', 'End'], does: t('To the oldest and the newest row') },
      { keys: ['→', '←'], does: t('Open and close a block or a turn; to the row that contains it') },
      { keys: ['Enter', 'Space'], does: t('Show the whole row, and hide it') },
      { keys: ['Ctrl+C'], does: t('Copy the text of the row') },
      { keys: ['Delete'], does: t('Exclude the row from the context') },
      { keys: ['Shift+F10', 'Menu'], does: t('What can be done with the row') },
    ],
  },
  {
    title: t('Filter of the timeline'),
    keys: [{ keys: ['Enter', 'Shift+Enter'], does: t('To the next row that matches, and back') }],
  },
  {
    title: t('Preview'),
    keys: [{ keys: ['Ctrl+Enter'], does: t('Apply it') }],
  },
  {
    title: t('Chart of the compactions'),
    keys: [
      { keys: ['→', '←'], does: t('To the next compaction') },
      { keys: ['Enter'], does: t('Open it in the list') },
    ],
  },
  {
    title: t('Tabs'),
    keys: [{ keys: ['→', '←'], does: t('To the next tab') }],
  },
  {
    title: t('Lists and menus'),
    keys: [
      { keys: ['↑', '↓'], does: t('To the next entry') },
      { keys: ['Enter'], does: t('Choose it') },
    ],
  },
  {
    title: t('Core'),
    keys: [{ keys: ['Alt+↑', 'Alt+↓'], does: t('Move an item up or down') }],
  },
];

/** False in text fields, where a question mark is text. */
export function asksForKeys(event: Pick<KeyboardEvent, 'key' | 'defaultPrevented' | 'composedPath'>): boolean {
  return event.key === '?' && !event.defaultPrevented && !isInText(event);
}

/**
 * The key of undo or redo, as in the editor; null for other keys and in text fields, which have an undo of their own.
 * `defaultPrevented` is not checked, because VS Code prevents the default of these keys in every webview.
 */
export function historyKey(
  event: Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey' | 'composedPath'>,
): 'undo' | 'redo' | null {
  const { ctrlKey, metaKey, altKey, shiftKey } = event;
  if (ctrlKey === metaKey || altKey || isInText(event)) return null;
  const key = event.key.toLowerCase();
  if (key === 'z') return shiftKey ? 'redo' : 'undo';
  return key === 'y' && ctrlKey && !shiftKey ? 'redo' : null;
}
