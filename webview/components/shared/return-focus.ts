import { tick } from 'svelte';

/** Milliseconds: the host tells that something is done before it tells what has changed by it. */
const patience = 2_000;
const step = 50;

/**
 * After an action took the control away that had the keyboard: as soon as the page shows what was done, the keyboard
 * goes there, unless the person has taken it elsewhere.
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

function isKeyboardLost(): boolean {
  const { activeElement } = document;
  return activeElement === null || activeElement === document.body || !activeElement.checkVisibility();
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

/** The first of these that is on screen. */
export function firstShown(...selectors: readonly string[]): HTMLElement | null {
  for (const selector of selectors) {
    const found = [...document.querySelectorAll<HTMLElement>(selector)].find((element) => element.checkVisibility());
    if (found) return found;
  }
  return null;
}
