import type { Patience } from './patience';
import { untilAborted } from './until-aborted';

/**
 * The pieces of an answer as they arrive. Once it has begun, only silence ends it; the reader's own time does not count. Does not wait for
 * a source that ignores an abort, because its opener closes it.
 */
export async function* readPatiently<T>(source: AsyncIterable<T>, patience: Patience): AsyncGenerator<T> {
  const iterator = source[Symbol.asyncIterator]();
  for (;;) {
    const next = await untilAborted(iterator.next(), patience.signal);
    patience.throwIfEnded();
    patience.rest();
    if (next.done) return;
    yield next.value;
    patience.throwIfEnded();
    patience.heard();
  }
}
