import { tick } from 'svelte';
import { isKeyboardLost } from '../shared/return-focus';

/** Controls in order of preference: those that decide on an item before those that lead elsewhere. */
const controls = ['vscode-button:not([disabled])', 'button:not([disabled])', 'summary'] as const;

interface FocusedControl {
  readonly element: HTMLElement;
  readonly id: string | undefined;
  readonly at: number;
  readonly isProposal: boolean;
}

/**
 * Keeps the focus when an item moves, changes its list or disappears: on the same item if it still exists, else on the
 * one that took its place, else on the tab itself. From a proposal that was decided on, the focus moves to the next
 * proposal, and after the last one to the search for more. Call `changed` after every change of the items.
 */
export function keepFocus(root: HTMLElement): { changed(): void; stop(): void } {
  let last: FocusedControl | null = null;
  const remember = ({ target }: FocusEvent) => {
    if (target instanceof HTMLElement) last = focusedControl(root, target);
  };
  root.addEventListener('focusin', remember);
  return {
    changed: () => void tick().then(() => restore()),
    stop: () => root.removeEventListener('focusin', remember),
  };

  function restore(): void {
    if (!last || !isKeyboardLost()) return;
    if (last.element.isConnected) last.element.focus();
    else if (last.isProposal) (nextOf(root, last, '[data-proposals] [data-item]') ?? finder(root) ?? root).focus();
    else if (last.at >= 0) (nextOf(root, last, '[data-item]') ?? root).focus();
  }
}

function focusedControl(root: HTMLElement, element: HTMLElement): FocusedControl {
  const item = element.closest<HTMLElement>('[data-item]');
  const isProposal = element.closest('[data-proposals]') !== null;
  const items = itemsIn(root, isProposal ? '[data-proposals] [data-item]' : '[data-item]');
  return { element, id: item?.dataset.item, at: item ? items.indexOf(item) : -1, isProposal };
}

/** A control of the same item, else of the item that took its place. */
function nextOf(root: HTMLElement, { id, at }: FocusedControl, selector: string): HTMLElement | null {
  const items = itemsIn(root, selector);
  const item = items.find(({ dataset }) => dataset.item === id) ?? items[Math.max(0, Math.min(at, items.length - 1))];
  return controls.map((control) => item?.querySelector<HTMLElement>(control)).find((each) => each) ?? null;
}

function finder(root: HTMLElement): HTMLElement | null {
  return root.querySelector<HTMLElement>('[data-find] vscode-button:not([disabled])');
}

function itemsIn(root: HTMLElement, selector: string): HTMLElement[] {
  return [...root.querySelectorAll<HTMLElement>(selector)].filter((item) => item.offsetParent !== null);
}
