import type { WritingTools } from '../engine/block/strategy';
import { localEmbedder } from '../models/embeddings/local';
import { transparentSummarizer } from './transparent/transparent';

/** The writing tools for runs without a model. */
export const toolsWithoutModel: WritingTools = {
  summarizer: transparentSummarizer,
  withoutModel: transparentSummarizer,
  model: null,
  embedder: localEmbedder,
};
