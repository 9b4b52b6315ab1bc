import { type Completion, type LanguageModel, ModelFailed, type Prompt } from '../../engine/block/language-model';
import { omissionOf } from '../../engine/block/omission';
import { withEnd } from '../../engine/block/record-continues';
import type { SectionName } from '../../engine/block/sections';
import type { Summarizer, SummaryRequest } from '../../engine/block/summary';
import type { CountTokens } from '../../engine/conversation/tokens';
import { promptAfterCut, shorterPrompt } from '../../engine/prompts/shorter-prompt';
import { promptFor } from '../../engine/prompts/summary-prompt';
import { type LocalizableText, localizable } from '../../engine/wording/localizable-text';
import { answerFault } from './answer-faults';
import { cleanAnswer } from './clean-answer';
import { cutBack } from './cut-back';
import { answerCap, outputCap } from './room';
import { hashOf, type ModelSummarizerOptions, summarizeTogether } from './shared-summaries';

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
      const writing = new Writing(model, request, { signal, ...(onText ? { onText } : {}) });
      const body = await writing.bodyFor(prompt);
      return {
        body: withEnd(body, request),
        spans: [],
        tokensSpent: writing.tokensSpent,
        promptHash: hashOf(prompt),
      };
    },
    ...(options.isRecordAbove ? {} : { summarizeTogether: together }),
  };
  making.set(summarizer, { model, options });
  return summarizer;
}

interface ModelSummarizerParts {
  readonly model: LanguageModel;
  readonly options: ModelSummarizerOptions;
}

const making = new WeakMap<Summarizer, ModelSummarizerParts>();

/**
 * The parts from which `modelSummarizer` made this one, to make the same one elsewhere; undefined for other
 * summarizers.
 */
export function partsOfModelSummarizer(summarizer: Summarizer): ModelSummarizerParts | undefined {
  return making.get(summarizer);
}

interface Answer {
  readonly body: string;
  readonly isCut: boolean;
}

/** The calls for one summary: one, and a second one if the first answer was too long. */
class Writing {
  tokensSpent = { input: 0, output: 0 };

  constructor(
    private readonly model: LanguageModel,
    private readonly request: SummaryRequest,
    private readonly how: { readonly signal: AbortSignal; readonly onText?: (text: string) => void },
  ) {}

  async bodyFor(prompt: Prompt): Promise<string> {
    const first = await this.#ask(prompt);
    if (!first.isCut && !this.#isTooLong(first.body)) return first.body;
    const again = first.isCut ? promptAfterCut(prompt, this.request) : shorterPrompt(first.body, this.request);
    return this.#cutToRoom(await this.#ask(again));
  }

  async #ask(prompt: Prompt): Promise<Answer> {
    const completion = await this.model.complete(prompt, { maxTokens: answerCap(this.request.maxTokens), ...this.how });
    this.#addSpent(completion);
    const fault = answerFault(completion.text, prompt);
    if (fault !== null) {
      const { model, name } = this.model;
      throw new ModelFailed(
        'broken-answer',
        localizable('The answer of {0} ({1}) is not a summary: {2}.', model, name, fault),
      );
    }
    const body = cleanAnswer(completion.text, this.request.sections);
    return { body, isCut: completion.isCut && body !== '' };
  }

  #addSpent({ tokens: { input, output } }: Completion): void {
    this.tokensSpent = { input: this.tokensSpent.input + input, output: this.tokensSpent.output + output };
  }

  get #mostTokens(): number {
    return outputCap(this.request.maxTokens);
  }

  #isTooLong(body: string): boolean {
    return this.request.countTokens(body) > this.#mostTokens;
  }

  /** The complete part of an answer that was cut off, or the sections of a too long one that fit. */
  #cutToRoom({ body, isCut }: Answer): string {
    const { sections, countTokens } = this.request;
    const whole = isCut ? cutBack(body, sections) : body;
    if (whole === null) throw this.#failed(answerCap(this.request.maxTokens), wasCut);
    const fitting = withSectionsLeftOut(whole, this.#mostTokens, countTokens);
    if (fitting === null) throw this.#failed(this.#mostTokens, wasTooLong);
    return fitting;
  }

  #failed(tokens: number, sentence: (model: string, name: string, tokens: number) => LocalizableText): ModelFailed {
    return new ModelFailed('broken-answer', sentence(this.model.model, this.model.name, tokens));
  }
}

function wasCut(model: string, name: string, tokens: number): LocalizableText {
  return localizable(
    'The answer of {0} ({1}) was cut off at {2} tokens twice, with too little of the summary by then. Try again, or choose another model.',
    model,
    name,
    tokens,
  );
}

function wasTooLong(model: string, name: string, tokens: number): LocalizableText {
  return localizable(
    'The answer of {0} ({1}) is longer than {2} tokens, although a shorter one was asked for. Try again, or choose another model.',
    model,
    name,
    tokens,
  );
}

/**
 * The sections that may go, the least important first. Sections about the person's wishes, the rules and the state of
 * the work always stay.
 */
const dispensable: readonly SectionName[] = [
  'Key Artifacts',
  'Critical Artifacts',
  'Strategy',
  'Operations',
  'Goal Arc',
  'What Worked',
  'Completed Work',
  'Milestones',
  'Findings',
  'Discoveries',
  'Critical Context',
];

/**
 * Leaves whole sections out of a summary until it has at most so many tokens, each with a mark in its place. Null if that is
 * not enough.
 */
function withSectionsLeftOut(body: string, maxTokens: number, countTokens: CountTokens): string | null {
  let parts = body.split(/^(?=## )/m);
  for (const section of dispensable) {
    if (countTokens(parts.join('')) <= maxTokens) break;
    const heading = `## ${section}\n`;
    parts = parts.map((part) =>
      part.startsWith(heading) ? `${heading}${omissionOf('left out: too long')}\n\n` : part,
    );
  }
  const shortened = parts.join('').trimEnd();
  return countTokens(shortened) <= maxTokens ? shortened : null;
}
