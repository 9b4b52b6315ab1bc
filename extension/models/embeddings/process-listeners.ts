const events = ['uncaughtException', 'unhandledRejection'] as const;

/**
 * The WebAssembly runtime, as soon as it is imported, registers listeners that throw every unhandled rejection of the
 * process anew. In an extension host those are other people's, so what was added during the work is taken off again.
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
