import type { Patience } from './patience';
import { untilAborted } from './until-aborted';

/**
 * The pieces of an answer as they come. Once it has begun, only silence ends it: the time that the reader takes over a
 * piece does not count. Does not wait for a source that ignores that it was called off; whoever opened the source closes it.
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
