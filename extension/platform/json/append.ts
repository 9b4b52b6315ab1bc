/** Adds all items to a list. `push(...items)` fails if there are more items than a call may have arguments. */
export function append<Item>(list: Item[], items: readonly Item[]): void {
  for (const item of items) list.push(item);
}
