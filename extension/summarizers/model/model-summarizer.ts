import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import { type Completion, type LanguageModel, ModelFailed, type Prompt } from '../../engine/block/language-model';
import type { Summarizer, SummaryRequest } from '../../engine/block/summary';
import { promptFor } from '../../engine/prompts/summary-prompt';
import { localizable } from '../../engine/wording/localizable-text';
import { cleanAnswer } from './clean-answer';
import { cutBack } from './cut-back';

export interface ModelSummarizerOptions {
  /** Maximum tokens of a prompt: the model's window minus the room for its answer. */
  readonly maxPromptTokens: number;
}

/** A summarizer that uses a model. Answers are cleaned here and verified by the run like any other summary. */
export function modelSummarizer(model: LanguageModel, options: ModelSummarizerOptions): Summarizer {
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
        body: bodyOf(completion, request, model),
        spans: [],
        tokensSpent: completion.tokens,
        promptHash: hashOf(prompt),
      };
    },
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

/** For a model with an unknown window, in tokens: a common minimum of local servers. */
export const assumedModelWindow = 32_768;

/** A safety margin: the model's own tokenizer may count more than Strata's. */
const promptShare = 0.85;
const answerRoom = { share: 0.25, most: 18_000 };

/** Maximum tokens of a prompt for a model with this window. */
export function promptRoom(contextWindow: number): number {
  return Math.floor(contextWindow * promptShare - Math.min(answerRoom.most, contextWindow * answerRoom.share));
}

/** Models cannot count their words, so the limit exceeds the requested length by this factor. */
const slack = { share: 1.25, tokens: 64 };

export function outputCap(maxTokens: number): number {
  return Math.ceil(maxTokens * slack.share) + slack.tokens;
}

function bodyOf(completion: Completion, { sections, maxTokens }: SummaryRequest, model: LanguageModel): string {
  const body = cleanAnswer(completion.text, sections);
  if (!completion.isCut || body === '') return body;
  const whole = cutBack(body, sections);
  if (whole !== null) return whole;
  throw new ModelFailed(
    'broken-answer',
    localizable(
      'The answer of {0} ({1}) was cut off at {2} tokens, with too little of the summary by then.',
      model.model,
      model.name,
      outputCap(maxTokens),
    ),
  );
}

function hashOf({ system, user }: Prompt): string {
  return bytesToHex(sha256(utf8ToBytes(JSON.stringify([system, user]))));
}
