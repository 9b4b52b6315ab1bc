import { tick } from 'svelte';

/** Milliseconds to wait: the host reports that a request is done before it sends the resulting change. */
const patience = 2_000;
const step = 50;

/**
 * For actions that remove the focused control: moves the focus to the result as soon as the page shows it, unless the
 * user has moved the focus elsewhere, on the page or in the editor around it.
 */
export async function returnFocus(
  to: () => HTMLElement | null | undefined,
  isShown: () => boolean = () => true,
): Promise<void> {
  for (let waited = 0; !isShown() && waited < patience; waited += step) await pause(step);
  await tick();
  await new Promise(requestAnimationFrame);
  if (isKeyboardLost()) to()?.focus();
}

/** The page has the focus of the editor, and none of its controls has it. */
export function isKeyboardLost(): boolean {
  const { activeElement } = document;
  if (!document.hasFocus()) return false;
  return activeElement === null || activeElement === document.body || !activeElement.checkVisibility();
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

/** The first match that is on screen. */
export function firstShown(...selectors: readonly string[]): HTMLElement | null {
  for (const selector of selectors) {
    const found = [...document.querySelectorAll<HTMLElement>(selector)].find((element) => element.checkVisibility());
    if (found) return found;
  }
  return null;
}
