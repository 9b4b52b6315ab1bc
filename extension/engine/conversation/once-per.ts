import { sameItems } from './same-items';

/** Caches one value per object. A value that is read from the object requires that the object never changes. */
export function oncePer<K extends object, V>(read: (key: K) => V): (key: K) => V {
  const known = new WeakMap<K, { readonly value: V }>();
  return (key) => {
    const found = known.get(key);
    if (found) return found.value;
    const value = read(key);
    known.set(key, { value });
    return value;
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
  const found = known.find((each) => sameItems(each, list));
  if (found !== undefined) return found as readonly T[];
  listsFrom.set(first, [...known, list].slice(-listsKept));
  return list;
}

/**
 * Maximum total length of the texts in one generation of a `oncePerText` cache, in UTF-16 units; two generations are
 * kept.
 */
const unitsKept = 4 * 1024 * 1024;

/**
 * Caches readings of recently read texts, so that repeated compactions of a conversation do not read it again. `read`
 * must depend on the text alone, and its result must never change.
 */
export function oncePerText<V>(read: (text: string) => V): (text: string) => V {
  let newer = new Map<string, { readonly value: V }>();
  let older: typeof newer = new Map();
  let units = 0;
  return (text) => {
    const known = newer.get(text);
    if (known) return known.value;
    const found = older.get(text) ?? { value: read(text) };
    newer.set(text, found);
    units += text.length + unitsOfOne;
    if (units > unitsKept) [older, newer, units] = [newer, new Map(), 0];
    return found.value;
  };
}

/** Minimum cost of a reading, even for an empty text. */
const unitsOfOne = 64;
