import type { Completion, Embedder, LanguageModel } from '../../engine/block/language-model';
import type { WritingTools } from '../../engine/block/strategy';
import type { Summarizer, Summary, SummaryRequest } from '../../engine/block/summary';
import type { Entry } from '../../engine/conversation/entry';
import { localEmbedder } from '../../models/embeddings/local';
import type { ServedRequest } from '../../platform/threads/serve-owner';
import { modelSummarizer } from '../../summarizers/model/model-summarizer';
import { transparentSummarizer } from '../../summarizers/transparent/transparent';
import type { CompactingContract, ModelIdentity, PortableRequest, PortableTools } from './messages';

interface Asking {
  readonly ask: ServedRequest<CompactingContract>['ask'];
  readonly placeOf: (entry: Entry) => number;
}

/** The tools of a run in a thread. Works without a model here, and asks the owner for everything else. */
export function askedTools(
  { summarizer, hasWithoutModel, model, embedder }: PortableTools,
  asking: Asking,
): WritingTools {
  return {
    summarizer: summarizerOf(summarizer, asking),
    ...(hasWithoutModel ? { withoutModel: transparentSummarizer } : {}),
    model: model && askedModel(model, 'model', asking),
    embedder: embedder.kind === 'local' ? localEmbedder : askedEmbedder(embedder.name, asking),
  };
}

function summarizerOf(tool: PortableTools['summarizer'], asking: Asking): Summarizer {
  switch (tool.kind) {
    case 'transparent':
      return transparentSummarizer;
    case 'model':
      return modelSummarizer(askedModel(tool.identity, 'summarizer', asking), tool);
    case 'asked': {
      const { kind: _kind, ...identity } = tool;
      return {
        ...identity,
        async summarize(request, signal, onText) {
          const question = {
            kind: 'summarize',
            request: portable(request, asking),
            hasText: onText !== undefined,
          } as const;
          return (await asking.ask(question, signal, onText)) as Summary;
        },
      };
    }
  }
}

function portable({ turns, countTokens: _count, ...rest }: SummaryRequest, { placeOf }: Asking): PortableRequest {
  return {
    ...rest,
    turns: turns.map(({ user, entries, ...turn }) => ({
      ...turn,
      user: user && placeOf(user),
      entries: entries.map(placeOf),
    })),
  };
}

function askedModel(
  { name, model, concurrency }: ModelIdentity,
  of: 'summarizer' | 'model',
  { ask }: Asking,
): LanguageModel {
  return {
    ...{ name, model, concurrency },
    async complete(prompt, { maxTokens, signal, onText }) {
      const question = { kind: 'complete', of, prompt, maxTokens, hasText: onText !== undefined } as const;
      return (await ask(question, signal, onText)) as Completion;
    },
  };
}

function askedEmbedder(name: string, { ask }: Asking): Embedder {
  return {
    name,
    embed: async (texts, signal) => (await ask({ kind: 'embed', texts }, signal)) as readonly (readonly number[])[],
  };
}
