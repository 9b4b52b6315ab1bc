import type { WritingTools } from '../engine/block/strategy';
import { localEmbedder } from '../models/embeddings/local';
import { transparentSummarizer } from './transparent/transparent';

export const toolsWithoutModel: WritingTools = {
  summarizer: transparentSummarizer,
  withoutModel: transparentSummarizer,
  model: null,
  embedder: localEmbedder,
};
