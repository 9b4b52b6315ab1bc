const events = ['uncaughtException', 'unhandledRejection'] as const;

/**
 * On import, the WebAssembly runtime registers listeners that rethrow every unhandled rejection of the process. In an
 * extension host these may be of other extensions, so listeners that were added during the work are removed.
 */
export async function withoutNewListeners<T>(work: () => Promise<T>): Promise<T> {
  const before = new Map(events.map((event) => [event, new Set(listenersOf(event))]));
  try {
    return await work();
  } finally {
    for (const event of events) {
      const added = listenersOf(event).filter((listener) => !before.get(event)?.has(listener));
      for (const listener of added) process.removeListener(event, listener);
    }
  }
}

function listenersOf(event: (typeof events)[number]): ((...values: unknown[]) => void)[] {
  return process.rawListeners(event) as ((...values: unknown[]) => void)[];
}
