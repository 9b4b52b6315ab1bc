import { type CoreItem, originalGoalId } from './core';
import { type CoreItemEvent, type CoreItems, originalGoalStatus } from './items';

/** The items as they were at a time in milliseconds since the epoch; null means now. */
export function itemsAt(
  { items, itemHistory }: { readonly items: readonly CoreItem[]; readonly itemHistory: CoreItems['history'] },
  time: number | null,
): CoreItem[] {
  if (time === null) return [...items];
  return items.flatMap((item) => itemAt(item, itemHistory.get(item.id) ?? [], time) ?? []);
}

/** Whether the original goal was marked done at a time in milliseconds since the epoch; null means now. */
export function isOriginalGoalOver(history: CoreItems['history'], time: number | null): boolean {
  const events = history.get(originalGoalId) ?? [];
  const tooLate = time === null ? -1 : events.findIndex((event) => Date.parse(event.time) > time);
  return originalGoalStatus(tooLate < 0 ? events : events.slice(0, tooLate)) === 'done';
}

/**
 * Null if the item did not exist yet. Undoes the later events one by one, newest first. Events are ordered as in the
 * journal: after an event that is too late, all following ones count as too late, even if the clock was set back.
 */
function itemAt(item: CoreItem, events: readonly CoreItemEvent[], time: number): CoreItem | null {
  const firstSince = events.findIndex((event) => Date.parse(event.time) > time);
  let then: CoreItem | null = item;
  for (const event of firstSince === -1 ? [] : events.slice(firstSince).reverse()) {
    then = then && itemBefore(then, event);
  }
  return then;
}

/** Undoes the newest event of an item. Null if it made the item. */
export function itemBefore(item: CoreItem, event: CoreItemEvent): CoreItem | null {
  if (event.kind === 'edited') return { ...item, text: event.before, rationale: event.rationaleBefore };
  return event.kind === 'status' ? { ...item, status: event.from } : null;
}
