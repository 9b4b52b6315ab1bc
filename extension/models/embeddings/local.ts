import { setImmediate } from 'node:timers/promises';
import type { Embedder } from '../../engine/block/language-model';
import type { Encoder } from './encoder';
import { withoutNewListeners } from './process-listeners';
import { VectorCache } from './vector-cache';

/** About 8 MB at 512 dimensions. */
const vectorsKept = 2000;

/** The encoder reads some 128 pieces of words; what comes after them only takes time. In UTF-16 units. */
const longestText = 600;

export class EncoderMissing extends Error {
  override name = 'EncoderMissing';
}

/** Embeds with an encoder that is loaded when it is first asked. Other work of the process goes on between two texts. */
export function embedderOf(load: () => Promise<Encoder>, capacity = vectorsKept): Embedder {
  const cache = new VectorCache(capacity);
  let loading: Promise<Encoder> | null = null;
  /** A load that failed is tried again with the next call. */
  const loaded = () => {
    loading ??= load().catch((cause) => {
      loading = null;
      throw new EncoderMissing('The sentence encoder could not be loaded; the build puts it into dist/embeddings.', {
        cause,
      });
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

/** The encoder cannot take an empty text. */
function encodable(text: string): string {
  return text.replace(/\s+/g, ' ').trim().slice(0, longestText) || '.';
}

/** The encoder comes in an npm package and works without a network. */
export const localEmbedder: Embedder = embedderOf(() =>
  withoutNewListeners(async () => (await import('./encoder')).loadEncoder()),
);
