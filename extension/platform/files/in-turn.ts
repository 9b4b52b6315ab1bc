/** Runs work one after the other for each key, whether or not the previous one failed. */
export function inTurn(): <T>(key: string, work: () => Promise<T>) => Promise<T> {
  const last = new Map<string, Promise<unknown>>();
  return async (key, work) => {
    const before = last.get(key) ?? Promise.resolve();
    const result = before.then(work, work);
    last.set(key, result);
    try {
      return await result;
    } finally {
      if (last.get(key) === result) last.delete(key);
    }
  };
}

/** Runs work one after the other, whether or not the previous one failed. */
export function oneByOne(): <T>(work: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const result = last.then(work);
    // The caller gets a failure; it does not affect the next work.
    last = result.catch(() => undefined);
    return result;
  };
}

type Turns = ReturnType<typeof inTurn>;

const turns = new WeakMap<object, Turns>();

/** The queue of all work on this object in this process. */
export function turnsOf(shared: object): Turns {
  const known = turns.get(shared) ?? inTurn();
  turns.set(shared, known);
  return known;
}
