import { setImmediate } from 'node:timers/promises';
import type { Embedder } from '../../engine/block/language-model';
import { RecentMap } from '../../platform/recent-map';
import type { Encoder } from './encoder';
import { EncoderMissing, notLoaded } from './encoder-missing';
import { withoutNewListeners } from './process-listeners';

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
