/** Reads a list or a request once, however many ask. It must never change once it exists. */
export function oncePer<K extends object, V>(read: (key: K) => V): (key: K) => V {
  const known = new WeakMap<K, { readonly value: V }>();
  return (key) => {
    const found = known.get(key) ?? { value: read(key) };
    known.set(key, found);
    return found.value;
  };
}

/** The newest lists that begin with this object. */
const listsFrom = new WeakMap<object, readonly (readonly object[])[]>();
const listsKept = 4;

/**
 * The same list for the same objects in the same order, so that several blocks over the same entries read them once. The list must
 * never change.
 */
export function sameList<T extends object>(list: readonly T[]): readonly T[] {
  const [first] = list;
  if (first === undefined) return list;
  const known = listsFrom.get(first) ?? [];
  const found = known.find((each) => each.length === list.length && each.every((one, at) => one === list[at]));
  if (found !== undefined) return found as readonly T[];
  listsFrom.set(first, [...known, list].slice(-listsKept));
  return list;
}
