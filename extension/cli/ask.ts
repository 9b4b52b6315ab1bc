import { diffWordsWithSpace } from 'diff';
import {
  askBoth,
  type BothAnswers,
  type BothContexts,
  costOfAsking,
  mostQuestions,
  ownQuestions,
  type SideAnswer,
  sides,
  spentOnAnswers,
  standardQuestions,
} from '../engine/asking/ask-both';
import type { Question } from '../engine/asking/questions';
import type { LanguageModel } from '../engine/block/language-model';
import type { Context } from '../engine/conversation/context';
import { runsOf } from '../engine/journal/runs';
import { defaultStrategy } from '../engine/run/prepare/registry';
import { counted } from '../engine/wording/counts';
import type { Inspection } from '../inspection/inspection';
import { costText } from '../models/prices';
import { toolsWithoutModel } from '../summarizers/without-model';
import { CommandFailed } from './command-failed';
import { interruptSignal } from './interrupt';
import { modelFrom, type SummarizerOptions } from './models';
import { openInspection } from './opened';
import { print, printJson, warn } from './output';
import { strategyNamed } from './parameters';
import type { JournalOptions } from './session-with-journal';
import { confirmed } from './terminal';

interface AskOptions extends JournalOptions, SummarizerOptions {
  readonly question?: readonly string[];
  readonly standard: boolean;
  readonly strategy?: string;
  readonly yes?: boolean;
  readonly dryRun?: boolean;
  readonly json?: boolean;
}

/** Asks a model the same questions with the context before and after a compaction. Changes nothing. */
export async function ask(file: string, options: AskOptions): Promise<void> {
  const questions = chosenQuestions(options);
  const { model, maxPromptTokens, price } = modelFrom(options);
  const inspection = await openInspection(file, options);
  const signal = interruptSignal();
  const { before, after, what } = await comparedContexts(inspection, options.strategy, signal);
  const contexts: BothContexts = { before: before.messages, after: after.messages };
  const { calls, input, mostOutput } = costOfAsking(contexts, questions.length, maxPromptTokens);
  warn(`${what}: ${before.tokens.total} → ${after.tokens.total} tokens`);
  const cost = costText(price, { input, output: mostOutput });
  const dollars = cost === null ? '' : `, ${cost}`;
  warn(`${calls} calls of ${model.model}: about ${input} tokens in, at most ${mostOutput} out${dollars}`);
  if (options.dryRun || !(await agreed(options))) return;
  const answers = await askBoth({
    questions,
    contexts,
    model,
    maxPromptTokens,
    signal,
    onAnswer: printAnswer(questions, model),
  });
  if (options.json)
    printJson({ ...asJson(questions, answers), tokensBefore: before.tokens.total, tokensAfter: after.tokens.total });
  else print(asText(questions, answers));
  if (answers.every((both) => sides.every((side) => both[side].kind === 'failed'))) {
    throw new CommandFailed('no question was answered');
  }
}

function chosenQuestions({ question = [], standard }: AskOptions): readonly Question[] {
  const chosen = ownQuestions(question, standard ? standardQuestions : []);
  if (chosen !== null) return chosen;
  throw new CommandFailed(
    `up to ${mostQuestions} questions can be asked at once, each of at most 2000 characters; --no-standard leaves out the ${standardQuestions.length} standard ones`,
    true,
  );
}

interface Compared {
  readonly before: Context;
  readonly after: Context;
  /** The text between them. */
  readonly what: string;
}

/** With compactions in the journal: the context without them and with them. Otherwise, or with a strategy: a dry run. */
async function comparedContexts(
  inspection: Inspection,
  strategy: string | undefined,
  signal: AbortSignal,
): Promise<Compared> {
  const active = inspection.state.compactions.filter((each) => each.active).map(({ record }) => record.seq);
  if (strategy === undefined && active.length > 0) {
    const before = inspection.contextWithout(active);
    const { length } = runsOf(inspection.state).filter((run) => run.active);
    return {
      before,
      after: inspection.context,
      what: `without and with ${counted(length, 'compaction')} of the journal`,
    };
  }
  const { name } = strategyNamed(strategy ?? defaultStrategy);
  const run = await inspection.prepare({
    ...{ strategy: name, instructions: null, parameters: {}, verification: 'repair' },
    ...{ tools: toolsWithoutModel, signal },
  });
  if (run.records.length === 0) throw new CommandFailed(`${name} would compact nothing: ${run.notes.join(' ')}`);
  return { before: run.before, after: run.after, what: `before and after ${name}, which is not applied` };
}

/** Asking costs tokens of a model several times over, so it is confirmed. */
async function agreed({ yes }: AskOptions): Promise<boolean> {
  if (yes) return true;
  if (!process.stdin.isTTY) throw new CommandFailed('nothing was asked: confirm with --yes', true);
  return await confirmed('Ask?', { input: process.stdin, output: process.stderr });
}

function printAnswer(questions: readonly Question[], { model }: LanguageModel) {
  let done = 0;
  return () => {
    done += 1;
    warn(`${model}: ${done} of ${questions.length * sides.length}`);
  };
}

/** Output contract of docs/cli.md: fields may be added, but not renamed or removed. */
function asJson(questions: readonly Question[], answers: readonly BothAnswers[]) {
  return {
    questions: questions.map(({ text }, index) => ({ question: text, ...answers[index] })),
    tokensSpent: spentOnAnswers(answers),
  };
}

function asText(questions: readonly Question[], answers: readonly BothAnswers[]): string {
  const { input, output } = spentOnAnswers(answers);
  return [
    ...questions.flatMap(({ text }, index) => textOfBoth(text, answers[index] as BothAnswers)),
    `Spent ${input} + ${output} tokens.`,
  ].join('\n');
}

function textOfBoth(question: string, { before, after }: BothAnswers): string[] {
  return [
    `# ${question}`,
    '',
    'Before:',
    textOf(before),
    '',
    'After:',
    textOf(after),
    '',
    ...differences(before, after),
  ];
}

function textOf(answer: SideAnswer): string {
  if (answer.kind === 'failed') return `(no answer: ${answer.reason})`;
  if (answer.kind === 'unusable') return `(${answer.reason})${answer.text === '' ? '' : `\n${answer.text}`}`;
  return answer.isCut ? `${answer.text}\n(cut off)` : answer.text;
}

/** Word by word, as `git diff --word-diff` marks them. */
function differences(before: SideAnswer, after: SideAnswer): string[] {
  if (before.kind !== 'given' || after.kind !== 'given') return [];
  if (before.text === after.text) return ['Differences: none', ''];
  const changes = diffWordsWithSpace(before.text, after.text);
  const marked = changes.map(({ added, removed, value }) => {
    if (added) return `{+${value}+}`;
    return removed ? `[-${value}-]` : value;
  });
  return ['Differences:', marked.join(''), ''];
}
