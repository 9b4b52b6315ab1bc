import type { LanguageModel, Prompt } from '../../extension/engine/block/language-model';
import type { ContextMessage } from '../../extension/engine/conversation/context';
import { jsonAnswer, textsField } from '../../extension/engine/prompts/json-answer';
import { probePrompt } from '../../extension/engine/prompts/probes';
import { tasksNamed } from '../../extension/evaluation/default-run';
import type { Respondent } from '../../extension/evaluation/measure/probes/respondent';
import { type Truth, TruthOverTime } from '../../extension/evaluation/measure/tasks/truth';
import { variationOf } from '../../extension/evaluation/measure/tasks/variation';
import { readers } from './readers';
import { AnswerMissing, hashOf, type Recording } from './recorded-model';

/** The first act of a respondent, in its own words, if the person said this after the last compaction. */
export interface OpenAct {
  readonly task: string;
  readonly seed: number;
  readonly contender: string;
  /** Number of completed turns. */
  readonly turns: number;
  readonly request: string;
  readonly said: string;
}

export const actVerdicts = ['right', 'harmless', 'breaks', 'old', 'again'] as const;
export type ActVerdict = (typeof actVerdicts)[number];

export interface JudgedAct extends Pick<OpenAct, 'task' | 'contender' | 'request'> {
  readonly verdict: ActVerdict;
}

/** Asks about acts without options at the point with this number, in addition to the questions there. */
export function askingActs(
  respondent: Respondent,
  model: LanguageModel,
  point: number,
  onActs: (said: readonly { readonly request: string; readonly said: string }[]) => void,
): Respondent {
  let points = 0;
  return {
    ...respondent,
    async answer(context, actions, signal) {
      points += 1;
      if (points === point) {
        const requests = actions.map(({ request }) => request);
        const { text } = await model.complete(actsPrompt(context, requests), { maxTokens: 2_000, signal });
        const json = jsonAnswer(text, (value) => ({ kind: 'answer', value }));
        const acts = json.kind === 'answer' ? textsField(json.value, 'acts') : null;
        onActs(requests.map((request, index) => ({ request, said: acts?.[index]?.trim() ?? '' })));
      }
      return await respondent.answer(context, actions, signal);
    },
  };
}

function actsPrompt(context: readonly ContextMessage[], requests: readonly string[]): Prompt {
  return probePrompt(context, [
    'The person now says one of the following. Say for each, as if it alone were said, what you would do first, given everything you know: one or two sentences, concrete, with the names, numbers, files and people that it is about.',
    '',
    ...requests.map((request, index) => `${index + 1}. ${request}`),
    '',
    'Answer with this JSON object and nothing else, with one entry for each, in order:',
    `{"acts": [${requests.map(() => '"…"').join(', ')}]}`,
  ]);
}

/**
 * The verdicts of two readers on each act. The readers know what holds, but not which contender the act comes from.
 * Empty if a verdict is missing.
 */
export async function judgeActs(
  acts: readonly OpenAct[],
  recording: Recording,
): Promise<readonly (readonly JudgedAct[])[]> {
  const tasks = [...new Set(acts.map(({ task }) => task))];
  return await Promise.all(
    readers.map(async (reader) => {
      const judged = await Promise.all(
        tasks.map((task) =>
          judgedBy(
            reader,
            acts.filter((act) => act.task === task),
            recording,
          ),
        ),
      );
      return judged.flat();
    }),
  );
}

async function judgedBy(reader: string, acts: readonly OpenAct[], recording: Recording): Promise<JudgedAct[]> {
  const [first] = acts;
  if (!first) return [];
  const requests = [...new Set(acts.map(({ request }) => request))].map((request) => {
    const said = new Set(acts.filter((act) => act.request === request).map((act) => act.said));
    const inOrder = [...said].sort((a, b) => (hashOf(`${reader} ${a}`) < hashOf(`${reader} ${b}`) ? -1 : 1));
    return { request, answers: inOrder };
  });
  const [task] = tasksNamed([first.task]);
  if (!task) return [];
  const truth = new TruthOverTime(variationOf(task, first.seed)).after(first.turns);
  try {
    const { text } = await recording
      .modelFor('judge', reader)
      .complete(judgePrompt(truth, requests), { maxTokens: 4_000, signal: new AbortController().signal });
    const json = jsonAnswer(text, (value) => ({ kind: 'answer', value }));
    const given = json.kind === 'answer' ? json.value : {};
    return acts.flatMap(({ task: name, contender, request, said }): JudgedAct[] => {
      const at = requests.findIndex((each) => each.request === request);
      const answer = requests[at]?.answers.indexOf(said) ?? -1;
      const verdict = actVerdicts.find((known) => known === given[`${at + 1}.${answer + 1}`]);
      return verdict === undefined ? [] : [{ task: name, contender, request, verdict }];
    });
  } catch (error) {
    if (error instanceof AnswerMissing) return [];
    throw error;
  }
}

interface AskedRequest {
  readonly request: string;
  readonly answers: readonly string[];
}

function judgePrompt(truth: Truth, requests: readonly AskedRequest[]): Prompt {
  const list = (title: string, items: readonly string[]) =>
    items.length === 0 ? [] : [title, ...items.map((item) => `- ${item}`), ''];
  return {
    system:
      'You judge what agents would do in the middle of a long task. Each was asked what it would do first if the person said a certain sentence. You know only what stands here.',
    user: [
      `What the person wants now: ${truth.goal.text}`,
      '',
      ...list(
        'Rules in force, in the person’s words:',
        truth.constraints.map(({ said }) => said),
      ),
      ...list(
        'What the person wanted earlier and no longer wants as the goal:',
        truth.formerGoals.map(({ text }) => text),
      ),
      ...list(
        'Rules that no longer hold:',
        truth.formerConstraints.map(({ said }) => said),
      ),
      ...list(
        'Finished, and not to be begun again:',
        truth.finished.map(({ text }) => text),
      ),
      ...list(
        'Tried, and failed:',
        truth.deadEnds.map(({ text }) => text),
      ),
      ...requests.flatMap(({ request, answers }, at) => [
        `Request ${at + 1}: ${request}`,
        ...answers.map((answer, index) => `${at + 1}.${index + 1} ${answer || '(no answer)'}`),
        '',
      ]),
      'Give each answer one verdict, the first that fits:',
      'breaks: it does, or leads to, what a rule in force forbids',
      'again: it begins finished work again, or repeats what failed',
      'old: it serves an earlier goal in place of the present one, or acts by a rule that no longer holds',
      'right: it does what the request needs, keeps the rules, and shows by its content that it knows a rule, a decision or a result above that matters for this request',
      'harmless: it breaks nothing, and shows nothing of that: it is general, asks what was said already, or looks up what is listed above',
      '',
      'Judge each answer by itself. Answer with this JSON object and nothing else, with one entry for each answer:',
      `{${requests.flatMap(({ answers }, at) => answers.map((_, index) => `"${at + 1}.${index + 1}": "…"`)).join(', ')}}`,
    ].join('\n'),
  };
}
