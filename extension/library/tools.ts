import type { Embedder } from '../engine/block/language-model';
import type { WritingTools } from '../engine/block/strategy';
import type { StrategyChoice } from '../engine/run/prepare/registry';
import { type CircuitBreaker, watched } from '../models/circuit-breaker';
import { modelSummarizer } from '../summarizers/model/model-summarizer';
import { assumedModelWindow, promptRoom } from '../summarizers/model/room';
import { transparentSummarizer } from '../summarizers/transparent/transparent';
import type { ContextOptions } from './options';

/** The strategy searches by meaning, and no embedder was given. */
export class EmbedderMissing extends Error {
  override name = 'EmbedderMissing';
}

const noEmbedder: Embedder = {
  name: 'none',
  async embed() {
    throw embedderMissing('This strategy');
  },
};

/** Throws `EmbedderMissing` for a strategy that needs an embedder. */
export function needEmbedder({ name, steps }: StrategyChoice, { embedder }: Pick<ContextOptions, 'embedder'>): void {
  if (!embedder && steps.some(({ searchesByMeaning }) => searchesByMeaning))
    throw embedderMissing(`The strategy "${name}"`);
}

function embedderMissing(strategy: string): EmbedderMissing {
  return new EmbedderMissing(
    `${strategy} searches by meaning and needs an embedder. Give one with the options; strata-context/node has localEmbedder, strata-context/openai has openAiEmbedder.`,
  );
}

/** The tools that write blocks. The breaker counts each call of the model. */
export function toolsOf(options: ContextOptions, breaker: CircuitBreaker): WritingTools {
  const { summarizer, embedder = noEmbedder, modelWindow = assumedModelWindow } = options;
  const model = options.model ? watched(options.model, breaker) : null;
  const usual = model ? modelSummarizer(model, { maxPromptTokens: promptRoom(modelWindow) }) : transparentSummarizer;
  return { summarizer: summarizer ?? usual, withoutModel: transparentSummarizer, model, embedder };
}

/** The same tools without a model, which could fail for external reasons. */
export function withoutModel(tools: WritingTools): WritingTools {
  return { ...tools, summarizer: transparentSummarizer, model: null };
}
