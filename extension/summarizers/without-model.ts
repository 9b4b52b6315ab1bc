import type { WritingTools } from '../engine/block/strategy';
import { localEmbedder } from '../models/embeddings/local';
import { extractiveSummarizer } from './extractive/extractive';

/** What a run writes with where no model is to be asked. */
export const toolsWithoutModel: WritingTools = {
  summarizer: extractiveSummarizer,
  model: null,
  embedder: localEmbedder,
};
