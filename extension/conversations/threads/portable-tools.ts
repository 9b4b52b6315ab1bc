import type { LanguageModel } from '../../engine/block/language-model';
import type { WritingTools } from '../../engine/block/strategy';
import type { SummaryRequest } from '../../engine/block/summary';
import type { Entry } from '../../engine/conversation/entry';
import { localEmbedder } from '../../models/embeddings/local';
import { partsOfModelSummarizer } from '../../summarizers/model/model-summarizer';
import { transparentSummarizer } from '../../summarizers/transparent/transparent';
import type { Answered, ModelIdentity, PortableRequest, PortableTools, Question } from './messages';

/** Description of tools that a thread can rebuild; null if some work only on this thread. */
export function portableTools({ summarizer, withoutModel, model, embedder }: WritingTools): PortableTools | null {
  if (withoutModel !== undefined && withoutModel !== transparentSummarizer) return null;
  return {
    summarizer: portableSummarizer(summarizer),
    hasWithoutModel: withoutModel !== undefined,
    model: model && identityOf(model),
    embedder: embedder === localEmbedder ? { kind: 'local' } : { kind: 'asked', name: embedder.name },
  };
}

function portableSummarizer(summarizer: WritingTools['summarizer']): PortableTools['summarizer'] {
  if (summarizer === transparentSummarizer) return { kind: 'transparent' };
  const parts = partsOfModelSummarizer(summarizer);
  if (parts) return { kind: 'model', identity: identityOf(parts.model), ...parts.options };
  const { name, model, concurrency } = summarizer;
  return { kind: 'asked', name, model, concurrency };
}

function identityOf({ name, model, concurrency }: LanguageModel): ModelIdentity {
  return { name, model, concurrency };
}

interface AnswerOptions {
  readonly signal: AbortSignal;
  readonly onText: (text: string) => void;
  readonly entryAt: (place: number) => Entry;
  readonly countTokens: SummaryRequest['countTokens'];
}

/** Answers a thread's question with the real tools. */
export async function answerTo(asked: Question, tools: WritingTools, options: AnswerOptions): Promise<Answered> {
  const { signal, onText } = options;
  switch (asked.kind) {
    case 'embed':
      return await tools.embedder.embed(asked.texts, signal);
    case 'summarize':
      return await tools.summarizer.summarize(
        wholeRequest(asked.request, options),
        signal,
        ...(asked.hasText ? [onText] : []),
      );
    case 'complete': {
      const model = asked.of === 'model' ? tools.model : partsOfModelSummarizer(tools.summarizer)?.model;
      if (!model) throw new Error('A compacting thread asked for a model, and there is none.');
      const { prompt, maxTokens, hasText } = asked;
      return await model.complete(prompt, { maxTokens, signal, ...(hasText ? { onText } : {}) });
    }
  }
}

function wholeRequest({ turns, ...rest }: PortableRequest, { entryAt, countTokens }: AnswerOptions): SummaryRequest {
  return {
    ...rest,
    countTokens,
    turns: turns.map(({ user, entries, ...turn }) => ({
      ...turn,
      user: user === null ? null : entryAt(user),
      entries: entries.map(entryAt),
    })),
  };
}
