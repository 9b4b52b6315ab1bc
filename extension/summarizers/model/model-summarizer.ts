import { type Completion, type LanguageModel, ModelFailed } from '../../engine/block/language-model';
import { withEnd } from '../../engine/block/record-continues';
import type { Summarizer, SummaryRequest } from '../../engine/block/summary';
import { promptFor } from '../../engine/prompts/summary-prompt';
import { localizable } from '../../engine/wording/localizable-text';
import { cleanAnswer } from './clean-answer';
import { cutBack } from './cut-back';
import type { ModelSummarizerOptions } from './options';
import { hashOf } from './prompt-hash';
import { outputCap } from './room';
import { summarizeTogether } from './shared-summaries';

/** A summarizer that uses a model. Answers are cleaned here and verified by the run like any other summary. */
export function modelSummarizer(model: LanguageModel, options: ModelSummarizerOptions): Summarizer {
  const together: Summarizer['summarizeTogether'] = (requests, signal, onText) =>
    summarizeTogether(requests, { model, options, signal, onText });
  const summarizer: Summarizer = {
    name: model.name,
    model: model.model,
    concurrency: model.concurrency,
    async summarize(request, signal, onText) {
      const prompt = promptFor(request, options);
      const completion = await model.complete(prompt, {
        maxTokens: outputCap(request.maxTokens),
        signal,
        ...(onText ? { onText } : {}),
      });
      return {
        body: withEnd(bodyOf(completion, request, model), request),
        spans: [],
        tokensSpent: completion.tokens,
        promptHash: hashOf(prompt),
      };
    },
    ...(options.isRecordAbove ? {} : { summarizeTogether: together }),
  };
  making.set(summarizer, { model, options });
  return summarizer;
}

/** What a summarizer was made of. */
export interface ModelSummarizerParts {
  readonly model: LanguageModel;
  readonly options: ModelSummarizerOptions;
}

const making = new WeakMap<Summarizer, ModelSummarizerParts>();

/** What `modelSummarizer` made this one of, to make the same elsewhere; undefined for every other summarizer. */
export function partsOfModelSummarizer(summarizer: Summarizer): ModelSummarizerParts | undefined {
  return making.get(summarizer);
}

function bodyOf(completion: Completion, { sections, maxTokens }: SummaryRequest, model: LanguageModel): string {
  const body = cleanAnswer(completion.text, sections);
  if (!completion.isCut || body === '') return body;
  const whole = cutBack(body, sections);
  if (whole !== null) return whole;
  throw new ModelFailed(
    'broken-answer',
    localizable(
      'The answer of {0} ({1}) was cut off at {2} tokens, with too little of the summary by then. Try again, or choose another model.',
      model.model,
      model.name,
      outputCap(maxTokens),
    ),
  );
}
