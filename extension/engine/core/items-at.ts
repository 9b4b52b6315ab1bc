import type { CoreItem } from './core';
import type { CoreItemEvent } from './history';
import type { CoreItems } from './items';

/** The items as they were at a time, in milliseconds since the epoch; null: as they are now. */
export function itemsAt(
  { items, itemHistory }: { readonly items: readonly CoreItem[]; readonly itemHistory: CoreItems['history'] },
  time: number | null,
): CoreItem[] {
  if (time === null) return [...items];
  return items.flatMap((item) => itemAt(item, itemHistory.get(item.id) ?? [], time) ?? []);
}

/** Null before it was there. Goes back over what happened to it since. */
function itemAt(item: CoreItem, events: readonly CoreItemEvent[], time: number): CoreItem | null {
  let then = item;
  for (const event of [...events].reverse()) {
    if (Date.parse(event.time) <= time) break;
    if (event.kind === 'edited') then = { ...then, text: event.before };
    else if (event.kind === 'status') then = { ...then, status: event.from };
    else return null;
  }
  return then;
}
