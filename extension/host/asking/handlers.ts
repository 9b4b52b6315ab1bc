import * as vscode from 'vscode';
import {
  askBoth,
  type BothContexts,
  contextTooLarge,
  costOfAsking,
  mostQuestions,
  ownQuestions,
  type SideAnswer,
  sides,
  spentOnAnswers,
  standardQuestions,
} from '../../engine/asking/ask-both';
import type { Question } from '../../engine/asking/questions';
import type { JournalState } from '../../engine/journal/journal-state';
import { runWith } from '../../engine/journal/runs';
import { OperationRefused } from '../../inspection/inspection';
import { costText } from '../../models/prices';
import type { AnswerView, AskedView, AskingCostView, AskingSubject, StandardQuestion } from '../../protocol/asking';
import type { RequestHandlers } from '../../protocol/rpc';
import { translated } from '../failures/failure-text';
import type { Inspector } from '../inspector';
import type { AskableModel } from '../models/model-access';
import type { Previews } from '../panel/previews';
import { runOfId } from '../view/compaction-ids';

/** Questions to a model about the context before and after a compaction. */
export function askingHandlers(
  inspector: Inspector,
  previews: Previews,
): Pick<RequestHandlers, 'asking-cost' | 'ask-both'> {
  return {
    'asking-cost': async ({ subject }) =>
      costView(await inspector.models.askable(), contextsOf(inspector, previews, subject)),
    'ask-both': async ({ subject, standard, own }) => {
      const questions = chosenQuestions(standard, own);
      const contexts = contextsOf(inspector, previews, subject);
      return await asked(inspector, await agreedModel(inspector), questions, contexts);
    },
  };
}

function contextsOf(inspector: Inspector, previews: Previews, { of, id }: AskingSubject): BothContexts {
  const inspection = inspector.required();
  if (of === 'preview') {
    const { before, after } = previews.read(inspection, id);
    return { before: before.messages, after: after.messages };
  }
  const run = seqsOfRun(inspection.state, id);
  if (run.length === 0) {
    throw new OperationRefused(vscode.l10n.t('You can ask only about a compaction that Strata can undo.'));
  }
  return { before: inspection.contextWithout(run).messages, after: inspection.context.messages };
}

/** The active blocks of a run. */
function seqsOfRun(state: JournalState, id: string): number[] {
  const run = runWith(state, runOfId(id) ?? -1);
  return run?.blocks.flatMap(({ record, active }) => (active ? [record.seq] : [])) ?? [];
}

/** Without a model, the questions are shown anyway. */
function costView(askable: AskableModel | null, contexts: BothContexts): AskingCostView {
  const room = askable?.maxPromptTokens;
  const { input, mostOutput } = costOfAsking(contexts, 1, room);
  return {
    model: askable?.model.model ?? null,
    input,
    mostOutput,
    prices: askable === null ? [] : pricesOf(askable, contexts),
    tooLarge: room === undefined ? [] : sides.flatMap((side) => tooLargeText(contexts, side, room)),
    questions: Object.fromEntries(
      standardQuestions.map(({ kind, text }) => [kind, text]),
    ) as AskingCostView['questions'],
    mostQuestions,
  };
}

/** One text for each possible number of questions. */
function pricesOf({ price, maxPromptTokens }: AskableModel, contexts: BothContexts): string[] {
  return Array.from({ length: mostQuestions }, (_, index) => {
    const { input, mostOutput: output } = costOfAsking(contexts, index + 1, maxPromptTokens);
    return costText(price, { input, output });
  }).flatMap((text) => (text === null ? [] : [translated(text)]));
}

function tooLargeText(contexts: BothContexts, side: keyof BothContexts, room: number): string[] {
  const reason = contextTooLarge(contexts[side], room);
  if (reason === null) return [];
  const text = translated(reason);
  return [side === 'before' ? vscode.l10n.t('Before: {0}', text) : vscode.l10n.t('After: {0}', text)];
}

function chosenQuestions(standard: readonly StandardQuestion[], own: readonly string[]): readonly Question[] {
  const questions = ownQuestions(
    own,
    standardQuestions.filter(({ kind }) => standard.some((each) => each === kind)),
  );
  if (questions !== null) return questions;
  throw new OperationRefused(
    vscode.l10n.t('Choose up to {0} questions, each of at most 2,000 characters.', mostQuestions),
  );
}

async function agreedModel({ models }: Inspector): Promise<AskableModel> {
  const askable = await models.askable();
  if (!askable)
    throw new OperationRefused(vscode.l10n.t('No model is chosen. Run "Strata: Choose Summarizer…" first.'));
  if (await models.consent.ask(askable.destination)) return askable;
  throw new OperationRefused(
    vscode.l10n.t('Nothing was sent: you have not agreed to ask {0}.', askable.destination.name),
  );
}

async function asked(
  inspector: Inspector,
  { model, maxPromptTokens }: AskableModel,
  questions: readonly Question[],
  contexts: BothContexts,
): Promise<AskedView> {
  const label = vscode.l10n.t('Asking {0}', model.model);
  const answers = await inspector.ask(label, async (signal) =>
    askBoth({ questions, contexts, model, maxPromptTokens, signal }),
  );
  return {
    model: model.model,
    answers: questions.map(({ text }, index) => ({
      question: text,
      before: answerView(answers[index]?.before),
      after: answerView(answers[index]?.after),
    })),
    tokensSpent: spentOnAnswers(answers),
  };
}

function answerView(answer: SideAnswer | undefined): AnswerView {
  if (!answer) return { text: '', note: null };
  if (answer.kind === 'failed') return { text: '', note: translated(answer.reason) };
  if (answer.kind === 'unusable') return { text: answer.text, note: translated(answer.reason) };
  if (answer.isCut) return { text: answer.text, note: vscode.l10n.t('The answer was longer and was cut off.') };
  const isEmpty = answer.text.trim() === '';
  return { text: answer.text, note: isEmpty ? vscode.l10n.t('The model named nothing.') : null };
}
