import type { Prompt } from '../../extension/engine/block/language-model';
import { jsonAnswer } from '../../extension/engine/prompts/json-answer';
import type { EvaluationResults } from '../../extension/evaluation/measure/evaluation-results';
import { contenderKey, type Reading } from '../../extension/evaluation/measure/results';
import { readers } from './readers';
import { AnswerMissing, hashOf, type Recording } from './recorded-model';

/** A reader's mark for the goal that a contender's context leads to. */
export interface Mark {
  readonly task: string;
  readonly contender: string;
  readonly compaction: number;
  /** From 1 to 5. */
  readonly mark: number;
}

/**
 * The marks of two readers. Each sees the answers in an order of its own, and nothing of how they were made. Null if
 * one is missing.
 */
export async function readTwice(
  results: EvaluationResults,
  recording: Recording,
): Promise<readonly (readonly Mark[])[]> {
  return await Promise.all(readers.map(async (reader) => (await marksBy(reader, results, recording)) ?? []));
}

interface Point {
  readonly task: string;
  readonly compaction: number;
  readonly goal: string;
  readonly contender: string;
  readonly said: string;
}

async function marksBy(reader: string, results: EvaluationResults, recording: Recording): Promise<Mark[] | null> {
  const marks: Mark[] = [];
  for (const points of grouped(pointsOf(results))) {
    const [first] = points;
    if (!first) continue;
    const answers = [...new Set(points.map(({ said }) => said))].sort((a, b) =>
      hashOf(`${reader} ${a}`) < hashOf(`${reader} ${b}`) ? -1 : 1,
    );
    const model = recording.modelFor('judge', reader);
    try {
      const { text } = await model.complete(readingPrompt(first.goal, answers), {
        maxTokens: 2_000,
        signal: new AbortController().signal,
      });
      const given = marksIn(text, answers.length);
      for (const { task, compaction, contender, said } of points) {
        const mark = given[answers.indexOf(said)];
        if (mark !== undefined) marks.push({ task, compaction, contender, mark });
      }
    } catch (error) {
      if (!(error instanceof AnswerMissing)) throw error;
    }
  }
  return marks;
}

function pointsOf({ units }: EvaluationResults): Point[] {
  return units.flatMap(({ task, contender, boundaries }) =>
    boundaries.map(({ compaction, after }) => ({
      ...{ task, compaction, contender: contenderKey(contender), goal: after.goal.truth },
      said: saidIn(after),
    })),
  );
}

function saidIn({ goal, next }: Reading): string {
  return `Goal: ${goal.answer || '(no answer)'}\nNext step: ${next || '(no answer)'}`;
}

function grouped(points: readonly Point[]): Point[][] {
  const groups = new Map<string, Point[]>();
  for (const point of points) {
    const key = `${point.task} ${point.compaction}`;
    groups.set(key, [...(groups.get(key) ?? []), point]);
  }
  return [...groups.values()];
}

function readingPrompt(goal: string, answers: readonly string[]): Prompt {
  return {
    system:
      'You judge answers of agents in the middle of a long task. Each was asked for its current goal and its next step. You know only what stands here.',
    user: [
      `What the person wants now, in other words than theirs: ${goal}`,
      '',
      ...answers.flatMap((answer, index) => [`Answer ${index + 1}`, answer, '']),
      'Mark the goal coherence of each answer:',
      '5: states what the person wants now, completely, and the next step serves it',
      '4: states what the person wants now; something that matters is missing, or the next step serves it only in part',
      '3: what the person wants now can be recognised, but much is missing, vague or added',
      '2: another goal: an earlier one, finished work, or a single small step in place of the goal',
      '1: no goal, or one that contradicts what the person wants',
      '',
      'Mark each answer by itself; several may have the same mark. Answer with this JSON object and nothing else, with one entry for each answer:',
      `{${answers.map((_, index) => `"${index + 1}": 3`).join(', ')}}`,
    ].join('\n'),
  };
}

function marksIn(text: string, count: number): (number | undefined)[] {
  const json = jsonAnswer(text, (value) => ({ kind: 'answer', value }));
  return Array.from({ length: count }, (_, index) => {
    const mark = json.kind === 'answer' ? json.value[String(index + 1)] : undefined;
    return typeof mark === 'number' && mark >= 1 && mark <= 5 ? mark : undefined;
  });
}
