import { setImmediate } from 'node:timers/promises';
import type { Embedder } from '../../engine/block/language-model';
import { RecentMap } from '../../platform/recent-map';
import type { Encoder } from './encoder';
import { EncoderMissing, notLoaded } from './encoder-missing';

/** About 8 MB at 512 dimensions. */
const vectorsKept = 2000;

/** The encoder reads about 128 word pieces; further text only costs time. In UTF-16 units. */
const longestText = 600;

/** Embeds with an encoder that is loaded on first use. Yields to other work between two texts. */
export function embedderOf(load: () => Promise<Encoder>, capacity = vectorsKept): Embedder {
  const cache = new RecentMap<string, readonly number[]>(capacity);
  let loading: Promise<Encoder> | null = null;
  /** A failed load is retried by the next call. */
  const loaded = () => {
    loading ??= load().catch((cause) => {
      loading = null;
      throw cause instanceof EncoderMissing ? cause : notLoaded(cause);
    });
    return loading;
  };
  const vectorOf = async (text: string): Promise<readonly number[]> => {
    const known = cache.get(text);
    if (known) return known;
    const vector = await (await loaded()).embed(text);
    cache.set(text, vector);
    await setImmediate();
    return vector;
  };
  return {
    name: 'local',
    async embed(texts, signal) {
      const vectors: (readonly number[])[] = [];
      for (const text of texts) {
        signal.throwIfAborted();
        vectors.push(await vectorOf(encodable(text)));
      }
      return vectors;
    },
  };
}

/** The encoder rejects empty texts. */
function encodable(text: string): string {
  return text.replace(/\s+/g, ' ').trim().slice(0, longestText) || '.';
}

/** Needs no network. Rejects with `EncoderMissing` if the encoder's package is not installed. */
export const localEmbedder: Embedder = embedderOf(() =>
  withoutNewListeners(async () => (await import('./encoder')).loadEncoder()),
);

const errorEvents = ['uncaughtException', 'unhandledRejection'] as const;

/**
 * On import, the WebAssembly runtime registers listeners that rethrow every unhandled rejection of the process. In an
 * extension host these may be of other extensions, so listeners that were added during the work are removed.
 */
export async function withoutNewListeners<T>(work: () => Promise<T>): Promise<T> {
  const before = new Map(errorEvents.map((event) => [event, new Set(listenersOf(event))]));
  try {
    return await work();
  } finally {
    for (const event of errorEvents) {
      const added = listenersOf(event).filter((listener) => !before.get(event)?.has(listener));
      for (const listener of added) process.removeListener(event, listener);
    }
  }
}

function listenersOf(event: (typeof errorEvents)[number]): ((...values: unknown[]) => void)[] {
  return process.rawListeners(event) as ((...values: unknown[]) => void)[];
}
