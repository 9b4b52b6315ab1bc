/** Reads a list or a request once, however many ask. It must never change once it exists. */
export function oncePer<K extends object, V>(read: (key: K) => V): (key: K) => V {
  const known = new WeakMap<K, { readonly value: V }>();
  return (key) => {
    const found = known.get(key) ?? { value: read(key) };
    known.set(key, found);
    return found.value;
  };
}
