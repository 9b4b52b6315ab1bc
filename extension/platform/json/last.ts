/** The last item that fits. (`findLast` came after the language level this is built for.) */
export function lastWhere<Item>(items: readonly Item[], fits: (item: Item) => boolean): Item | undefined {
  for (let index = items.length - 1; index >= 0; index -= 1) {
    const item = items[index];
    if (item !== undefined && fits(item)) return item;
  }
  return undefined;
}
