import type { WritingTools } from '../engine/block/strategy';
import { localEmbedder } from '../models/embeddings/local';
import { extractiveSummarizer } from './extractive/extractive';

/** The writing tools for runs without a model. */
export const toolsWithoutModel: WritingTools = {
  summarizer: extractiveSummarizer,
  withoutModel: extractiveSummarizer,
  model: null,
  embedder: localEmbedder,
};
