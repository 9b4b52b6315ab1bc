import { failureOr, type LanguageModel, ModelFailed } from '../block/language-model';
import { declines } from '../compaction/manner';
import type { ContextMessage } from '../conversation/context';
import { sum } from '../conversation/whole-tokens';
import { asLocalizable, type LocalizableText, localizable } from '../wording/localizable-text';
import { type Answer, nothingSpent, type Spent } from './ask-model';
import { askQuestion, type Question, questions } from './questions';

/** Two contexts for the same questions: before and after a compaction. */
export interface BothContexts {
  readonly before: readonly ContextMessage[];
  readonly after: readonly ContextMessage[];
}

type Side = keyof BothContexts;

export const sides = ['before', 'after'] as const satisfies readonly Side[];

export const standardQuestions: readonly Question[] = Object.values(questions);

export const mostQuestions = 5;

/** Maximum length of a question in UTF-16 units. */
const longestQuestion = 2_000;

/** A model's answer from one of the contexts. */
export type SideAnswer =
  | { readonly kind: 'given'; readonly text: string; readonly isCut: boolean; readonly spent: Spent }
  /** Empty, declined, or not in the requested form. `text` is the answer verbatim. */
  | { readonly kind: 'unusable'; readonly reason: LocalizableText; readonly text: string; readonly spent: Spent }
  /** The call failed, or was not made. */
  | { readonly kind: 'failed'; readonly reason: LocalizableText };

export type BothAnswers = Readonly<Record<Side, SideAnswer>>;

interface AskingOrder {
  readonly questions: readonly Question[];
  readonly contexts: BothContexts;
  readonly model: LanguageModel;
  readonly maxPromptTokens: number;
  readonly signal: AbortSignal;
  /** Called with each answer when it arrives. */
  readonly onAnswer?: (question: number, side: Side, answer: SideAnswer) => void;
}

/** The person's questions, trimmed and without repetitions; null if there are none, too many, or too long ones. */
export function ownQuestions(texts: readonly string[], standard: readonly Question[]): readonly Question[] | null {
  const own = [...new Set(texts.map((text) => text.trim()).filter((text) => text !== ''))];
  const all = [...standard, ...own.map((text): Question => ({ kind: 'own', text }))];
  const isUsable = all.length > 0 && all.length <= mostQuestions && own.every((text) => text.length <= longestQuestion);
  return isUsable ? all : null;
}

/**
 * Asks each question in a call of its own, so that no answer depends on another. After a failed call no further calls
 * are made. A failing model is part of the answers; rejects only with the signal's reason.
 */
export async function askBoth(order: AskingOrder): Promise<readonly BothAnswers[]> {
  const { questions: asked, model, onAnswer, signal } = order;
  const answers = asked.map((): Partial<Record<Side, SideAnswer>> => ({}));
  const waiting = asked.flatMap((_, question) => sides.map((side) => ({ question, side })));
  let failure: LocalizableText | null = null;
  const work = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const { question, side } = next;
      const answer: SideAnswer = failure
        ? { kind: 'failed', reason: localizable('not asked, because another call failed') }
        : await answerOf(order, asked[question] as Question, side);
      signal.throwIfAborted();
      if (answer.kind === 'failed' && fits(order, side)) failure ??= answer.reason;
      (answers[question] as Partial<Record<Side, SideAnswer>>)[side] = answer;
      onAnswer?.(question, side, answer);
    }
  };
  await Promise.all(Array.from({ length: Math.max(1, model.concurrency) }, work));
  return answers as readonly BothAnswers[];
}

async function answerOf(order: AskingOrder, question: Question, side: Side): Promise<SideAnswer> {
  const { contexts, model, maxPromptTokens, signal } = order;
  const reason = contextTooLarge(contexts[side], maxPromptTokens);
  if (reason !== null) return { kind: 'failed', reason };
  const answer = await failureOr(signal, () => askQuestion(model, contexts[side], question, signal, once));
  return answer instanceof ModelFailed ? { kind: 'failed', reason: answer.wording } : sideAnswer(answer);
}

/** Every answer costs tokens, so an unreadable one is shown instead of being requested again. */
const once = { attempts: 1, maxAnswerTokens: 800 };

function sideAnswer(answer: Answer<unknown>): SideAnswer {
  const { text, spent } = answer;
  if (declines(text)) return { kind: 'unusable', reason: localizable('the model declined to answer'), text, spent };
  if (answer.kind === 'unusable') {
    const isEmpty = text.trim() === '';
    const reason = isEmpty ? localizable('the answer is empty') : asLocalizable(answer.reason);
    return { kind: 'unusable', reason, text, spent };
  }
  return { kind: 'given', text, isCut: isCut(answer.value), spent };
}

function isCut(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'isCut' in value && value.isCut === true;
}

function fits({ contexts, maxPromptTokens }: AskingOrder, side: Side): boolean {
  return contextTooLarge(contexts[side], maxPromptTokens) === null;
}

/** Why a context is too large to ask about; null if it fits the model. */
export function contextTooLarge(context: readonly ContextMessage[], room: number): LocalizableText | null {
  const tokens = tokensOfPrompt(context);
  if (tokens <= room) return null;
  return localizable(
    'this context has about {0} tokens, and the model takes prompts of {1}. Choose a model with a larger window, or set its window if it is larger.',
    tokens,
    room,
  );
}

/** Tokens of a prompt besides the context: role, question and form of the answer. */
const tokensOfQuestion = 200;
/** Tokens of the line that names the speaker of a message. */
const tokensOfSpeaker = 12;

function tokensOfPrompt(context: readonly ContextMessage[]): number {
  return context.reduce((total, { tokens }) => total + tokens + tokensOfSpeaker, tokensOfQuestion);
}

/** Estimated cost of asking: prompts by Strata's count, and answers at their maximum length. */
interface AskingCost {
  readonly calls: number;
  readonly input: number;
  readonly mostOutput: number;
}

/** Contexts that are too large are not sent and cost nothing. */
export function costOfAsking(
  { before, after }: BothContexts,
  count: number,
  maxPromptTokens = Number.POSITIVE_INFINITY,
): AskingCost {
  const prompts = [tokensOfPrompt(before), tokensOfPrompt(after)].filter((tokens) => tokens <= maxPromptTokens);
  const calls = prompts.length * count;
  return { calls, input: sum(prompts) * count, mostOutput: calls * once.maxAnswerTokens };
}

/** Reported tokens of the answers. */
export function spentOnAnswers(answers: readonly BothAnswers[]): Spent {
  return answers
    .flatMap((both) => sides.map((side) => both[side]))
    .reduce((total, answer) => {
      const { input, output } = answer.kind === 'failed' ? nothingSpent : answer.spent;
      return { input: total.input + input, output: total.output + output };
    }, nothingSpent);
}
